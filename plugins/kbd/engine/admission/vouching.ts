/**
 * Finds the commands of a peer that need a trusted signer. The owner of each node enrols devices, so an author may be
 * unknown here. A set is accepted if each of its heads is signed by a device that is active and in scope here, or is in
 * the past of a push that such a device signed. A head vouches for its ancestors, independent of their signers.
 */
import type { CommandEnvelope } from '../../api.ts'

/** A command of a set. */
export interface Vouched {
  readonly id: string
  readonly envelope: CommandEnvelope
}

/** The heads that a push names, and the key id of its signer. */
export interface PinnedBy {
  readonly heads: readonly string[]
  readonly signerKeyId: string
}

/** A head of a set. A trusted device must have signed the head, or a push that pins the head. */
export interface Head<T extends Vouched = Vouched> {
  /** The index in the set. */
  readonly index: number
  readonly command: T
  /** Whether a push names the head, or a descendant of the head. */
  readonly isPinned: boolean
}

/** The heads of the new commands of a set. `pinned` are the heads that a push names. */
export function findHeads<T extends Vouched>(
  commands: readonly T[],
  knownIds: ReadonlySet<string>,
  pinned: readonly string[] = [],
): readonly Head<T>[] {
  const unknown = commands.filter(({ id }) => !knownIds.has(id))
  const parents = new Set(unknown.flatMap(({ envelope }) => envelope.expectedFrontier.heads))
  const below = belowHeads(unknown, pinned)
  return commands
    .map((command, index) => ({ index, command, isPinned: below.has(command.id) }))
    .filter(({ command: { id } }) => !knownIds.has(id) && !parents.has(id))
}

/** The ids of heads and of their ancestors, as far as these commands name parents. */
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
