/**
 * Checks that each command of a push comes after its parents: they are here, wait for the push, or come before it in
 * the body.
 */
import type { Boards } from '../../../kbd/capabilities.ts'
import { fail } from '../../errors.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import { located, type Proven, type ReadCommand } from '../proving/prove-commands.ts'

/** Commands that are looked up at once. */
const SLICE = 256

/** The commands that are not here, up to the first that is bad or lacks a parent. `bad` is why that one is refused. */
export async function checkParents(
  boards: Pick<Boards, 'read'>,
  staged: PeerStore['staged'],
  { no, project }: Pick<Inboxed, 'no' | 'project'>,
  { commands, bad }: Proven,
): Promise<{ readonly fresh: readonly ReadCommand[]; readonly bad?: unknown }> {
  const fresh: ReadCommand[] = []
  const before = new Set<string>()
  for (let at = 0; at < commands.length; at += SLICE) {
    const slice = commands.slice(at, at + SLICE)
    const sliceIds = new Set(slice.map(({ id }) => id))
    const outside = [...new Set(slice.flatMap(parentsOf))].filter((id) => !sliceIds.has(id) && !before.has(id))
    const waiting = await staged.known(no, outside)
    const { root, here } = await boards.read((reads) => ({
      root: reads.root(project),
      here: reads.known(project, [...sliceIds, ...outside]),
    }))
    for (const [i, command] of slice.entries()) {
      const { id } = command
      const parents = parentsOf(command)
      const isThere = (one: string): boolean => before.has(one) || waiting.has(one) || here.has(one)
      const isOther = parents.length === 0 && root !== null && root !== id
      if (isOther || !parents.every(isThere))
        return { fresh, bad: located(fail(isOther ? 'project_mismatch' : 'frontier_unknown'), at + i, command) }
      before.add(id)
      if (!here.has(id)) fresh.push(command)
    }
  }
  return { fresh, ...(bad !== undefined && { bad }) }
}

/** The ids of a graph that are heads or in the past of heads. */
export function belowHeads(
  graph: readonly { readonly id: string; readonly parents: readonly string[] }[],
  heads: readonly string[],
): ReadonlySet<string> {
  const parents = new Map(graph.map(({ id, parents: of }) => [id, of]))
  const below = new Set<string>()
  const open = [...heads]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const parentIds = parents.get(id)
    if (parentIds === undefined || below.has(id)) continue
    below.add(id)
    open.push(...parentIds)
  }
  return below
}

/** The id and the parents of a command. */
export function toNode(command: ReadCommand): { readonly id: string; readonly parents: readonly string[] } {
  return { id: command.id, parents: parentsOf(command) }
}

function parentsOf({ envelope }: ReadCommand): readonly string[] {
  return envelope.expectedFrontier.heads
}
