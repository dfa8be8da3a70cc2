/**
 * Applies one command to the board state. Commands are applied in graph order. Every command can be applied: a command
 * without an effect at its position writes nothing. A command changes only the registers that it names, independent of
 * its parents.
 */
import type { Applied, Command, CommandEnvelope } from '../../api.ts'
import { type CommandContext, isClaim } from '../claims/claim-types.ts'
import type { Claims } from '../claims/claims.ts'
import type { Codecs } from '../codecs.ts'
import { createdBy, type Write, writesOf } from '../commands/commands.ts'
import type { Content } from '../content/content.ts'
import type { NewNode } from '../graph/add.ts'
import type { Graph } from '../graph/graph.ts'
import type { Place } from '../graph/place.ts'
import { contains } from '../graph/ranges.ts'
import type { ProjectRow } from '../graph/statements.ts'
import type { Sql } from '../sql.ts'
import { derive } from './derive.ts'
import { CREATED, REBOARDED, type ReadEntity, type RegisterEntry, type Registers } from './registers.ts'
import { createShow, type Shown } from './show.ts'

/** Adds admitted commands to a project. */
export interface Fold {
  /**
   * Adds a new command whose parents are all known. `row` is the present row of the project, undefined before its first
   * command.
   */
  append(row: ProjectRow | undefined, node: NewNode, place: Place, read: ReadEntity, nowMs: number): Applied
  /**
   * Applies a command about a claim again, whose effects were removed. Commands come in the order of their positions.
   */
  reapply(p: number, pos: number, id: string, envelope: CommandEnvelope): void
  /** Shows an entity again. */
  showAgain(p: number, entity: string): void
}

/** The parts of a fold. */
export interface FoldParts {
  readonly sql: Sql
  readonly graph: Graph
  readonly registers: Registers
  readonly claims: Claims
  readonly content: Content
  readonly codecs: Codecs
}

/** Makes the fold. */
export function createFold(parts: FoldParts): Fold {
  const { graph, registers, claims, content, codecs } = parts
  const show = createShow(parts)

  /** The entries that a command writes, by entity, and whether the command has an effect at its position. */
  const entriesOf = (context: CommandContext, command: Command, derived: unknown) => {
    const byEntity = new Map<string, RegisterEntry[]>()
    const add = (entity: string, name: string, value: unknown): void => {
      const entry = { name, pos: context.pos, value: codecs.canonicalText(value) }
      const list = byEntity.get(entity)
      if (list === undefined) byEntity.set(entity, [entry])
      else list.push(entry)
    }
    if (isClaim(command)) {
      const value = claims.fold(context, command)
      if (value !== undefined) add(`card/${command.cardId}`, 'claim', value)
      return { byEntity, isEffective: value !== undefined }
    }
    const writes = writesOf(command, derived)
    for (const { entity, name, value } of writes) add(entity, name, value)
    keepBoards(command, writes, add)
    return { byEntity, isEffective: writes.length > 0 }
  }

  const noChanges = (): Shown => ({ changes: [], opened: [] })

  return {
    reapply(p, pos, id, envelope) {
      const past = graph.past(p)
      const unseen = past.unseen(pos)
      const { byEntity } = entriesOf({ p, pos, id, envelope, unseen, past }, envelope.command, undefined)
      for (const [entity, entries] of byEntity) {
        const old = registers.reading(p)(entity)
        const now = registers.write(p, old, entries, (other) => !contains(unseen, other))
        show({ p, past, old, now, entries }, noChanges())
      }
    },
    showAgain(p, entity) {
      const now = registers.reading(p)(entity)
      show({ p, past: graph.past(p), old: now, now, entries: [] }, noChanges())
    },
    append(row, node, place, read, nowMs) {
      const { unseen } = place
      const { id, envelope } = node
      const { command } = envelope
      const derived =
        row === undefined ? undefined : derive(graph, { p: row.p, unseen, past: graph.past(row.p) }, command, read)
      const { row: after, forked } = graph.add(row, node, place, derived)
      const { p, revision: pos, project } = after
      const past = graph.past(p)
      const { byEntity, isEffective } = entriesOf({ p, pos, id, envelope, unseen, past }, command, derived)
      const shown = noChanges()
      for (const [entity, entries] of byEntity) {
        const old = read(entity)
        const now = registers.write(p, old, entries, (other) => !contains(unseen, other))
        show({ p, past, old, now, entries }, shown)
        content.named(p, project, now, entries, nowMs)
      }
      return {
        project,
        id,
        envelope,
        ...shown,
        effective: isEffective,
        forked,
        // A new command is always a head, so it is the only head if there is one.
        frontier: after.headCount === 1 ? { heads: [id] } : graph.frontier(p),
        headCount: after.headCount,
        revision: pos,
        placing: shown.changes.some(({ map }) => map === 'boards' || map === 'columns' || map === 'cards'),
      }
    },
  }
}

/**
 * Adds an entry for a creation, or for each board that a resolution gives a column. These entries are beside the
 * registers.
 */
function keepBoards(
  command: Command,
  writes: readonly Write[],
  add: (entity: string, name: string, value: unknown) => void,
): void {
  const created = createdBy(command)
  if (created !== undefined) add(created, CREATED, command.type === 'column.create' ? command.boardId : null)
  else for (const { entity, name, value } of writes) if (name === 'boardId') add(entity, REBOARDED, value)
}
