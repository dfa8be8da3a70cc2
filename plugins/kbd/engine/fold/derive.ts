/**
 * Derives a value of a command from its past: the value that a resolution chooses, or the board of a reranked column.
 */
import type { Command } from '../../api.ts'
import type { CommandContext } from '../claims/claim-types.ts'
import { candidateValue, registerOf } from '../commands/commands.ts'
import type { Graph } from '../graph/graph.ts'
import type { Past } from '../graph/past.ts'
import { contains, intersect, type Ranges } from '../graph/ranges.ts'
import { CREATED, type EntityEntries, isWide, REBOARDED, type ReadEntity } from './registers.ts'

/** The value that a command derives from its past. Returns undefined if the command derives none or has no effect. */
export function derive(
  graph: Graph,
  { p, unseen, past }: Pick<CommandContext, 'p' | 'unseen' | 'past'>,
  command: Command,
  read: ReadEntity,
): unknown {
  const seen = (pos: number): boolean => !contains(unseen, pos)
  if (command.type === 'column.rerank') {
    const column = read(`column/${command.columnId}`)
    if (isWide(column)) past.load(column.entity)
    return boardIn(past, column, seen)
  }
  if (command.type !== 'conflict.resolve') return undefined
  if ('value' in command.choose) return command.choose.value
  const node = graph.node(p, command.choose.id)
  if (node === undefined || !seen(node.pos)) return undefined
  const chosen = graph.command(p, node.pos)
  const { entity, name } = registerOf(command)
  return candidateValue(chosen.command, chosen.derived, entity, name)
}

/**
 * The board of a column in the past of a command: among the boards that no later write of that past has replaced, the
 * one whose command has the lowest id. `seen` says whether a position is in that past.
 */
function boardIn(past: Past, { byName }: EntityEntries, seen: (pos: number) => boolean): unknown {
  const all = [...(byName.get(CREATED) ?? []), ...(byName.get(REBOARDED) ?? [])].filter(({ pos }) => seen(pos))
  // Walks from the newest to the oldest write: a write is replaced exactly if a write that is not replaced has seen it.
  const newestFirst = [...all].sort((one, other) => other.pos - one.pos)
  let unseenByAll: Ranges | undefined
  let winner: { readonly id: string; readonly value: string } | undefined
  for (const { pos, value } of newestFirst) {
    if (unseenByAll !== undefined && !contains(unseenByAll, pos)) continue
    const { id } = past.nodeAt(pos)
    if (winner === undefined || id < winner.id) winner = { id, value }
    const unseen = past.unseen(pos)
    unseenByAll = unseenByAll === undefined ? unseen : intersect(unseenByAll, unseen)
    if (unseenByAll.length === 0) break
  }
  return winner === undefined ? undefined : JSON.parse(winner.value)
}
