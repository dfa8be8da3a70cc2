/**
 * Who vouches for commands of a peer. Devices are enrolled on each node by its owner, so that an author may be unknown
 * here; a set is taken when each of its heads is signed by a device that is active and in scope here, or lies below a push
 * so signed. Descendants vouch for ancestors, whoever signed those.
 */
import type { CommandEnvelope } from '../../api.ts'

/** A command of a set. */
export interface Vouched {
  readonly id: string
  readonly envelope: CommandEnvelope
}

/** The heads that a push names, and who signed it. */
export interface PinnedBy {
  readonly heads: readonly string[]
  readonly signerKeyId: string
}

/** A head of a set: a device in scope signed it, or a push that a device in scope signed pins it. */
export interface Head<T extends Vouched = Vouched> {
  /** The index in the set. */
  readonly index: number
  readonly command: T
  /** It lies below a head that the push names. */
  readonly isPinned: boolean
}

/** The heads of what is new in a set. `pinned` are the heads that a push names. */
export function findHeads<T extends Vouched>(
  commands: readonly T[],
  known: ReadonlySet<string>,
  pinned: readonly string[] = [],
): readonly Head<T>[] {
  const unknown = commands.filter(({ id }) => !known.has(id))
  const parents = new Set(unknown.flatMap(({ envelope }) => envelope.expectedFrontier.heads))
  const below = belowHeads(unknown, pinned)
  return commands
    .map((command, index) => ({ index, command, isPinned: below.has(command.id) }))
    .filter(({ command: { id } }) => !known.has(id) && !parents.has(id))
}

/** Heads, and what lies below them by way of these commands. */
export function belowHeads(commands: readonly Vouched[], heads: readonly string[]): ReadonlySet<string> {
  const parents = new Map(commands.map(({ id, envelope }) => [id, envelope.expectedFrontier.heads]))
  const below = new Set<string>()
  const open = [...heads]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (below.has(id)) continue
    below.add(id)
    open.push(...(parents.get(id) ?? []))
  }
  return below
}
