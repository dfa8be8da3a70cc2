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

/**
 * Where the first head of a set stands that nobody vouches for; undefined where there is none. `trusts` says whether the
 * signer is active and in scope here for that command; `pinned` are the heads that a trusted push names.
 */
export function findUnvouched(
  commands: readonly Vouched[],
  trusts: (envelope: CommandEnvelope) => boolean,
  pinned: readonly string[] = [],
): number | undefined {
  const named = new Set(commands.flatMap(({ envelope }) => envelope.expectedFrontier.heads))
  const below = belowHeads(commands, pinned)
  const bad = commands.findIndex(({ id, envelope }) => !named.has(id) && !below.has(id) && !trusts(envelope))
  return bad < 0 ? undefined : bad
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
