/** Finds conflicts: concurrent values of one register that differ, and edits that are concurrent with an archiving. */
import type { Conflict } from '../../api.ts'
import type { Codecs } from '../codecs.ts'
import { conflictIdOf, isArchivable } from '../commands/commands.ts'
import { CREATED, differ, type EntityEntries, isTrueWins, REBOARDED, type RegisterEntry } from '../fold/registers.ts'
import type { Past } from '../graph/past.ts'
import { findConcurrent } from './concurrent.ts'

interface Candidate {
  readonly pos: number
  readonly value: unknown
}

/**
 * Whether an entity can have open conflicts. Most cannot: each register has one value, and the entity is not archived.
 */
export function mayConflict({ byName }: EntityEntries): boolean {
  for (const [name, values] of byName)
    if (values.length > 1 || (name === 'archived' && values[0]?.value === 'true')) return true
  return false
}

/**
 * Whether the written entries can open, change or end a conflict about the register `name`. Every write can affect a
 * conflict about `archived`, and a redaction can affect every conflict.
 */
export function isTouched(name: string, written: readonly RegisterEntry[]): boolean {
  return name === 'archived' || written.some((entry) => entry.name === name || entry.name === 'redacted')
}

/**
 * The open conflicts of an entity that the written entries can have opened or changed. `inForce` is the position of the
 * entry of the claim in force.
 */
export function findConflicts(
  codecs: Codecs,
  past: Past,
  entries: EntityEntries,
  written: readonly RegisterEntry[],
  inForce: number | undefined,
): readonly Conflict[] {
  const { entity, byName } = entries
  const [type, id] = entity.split('/') as [string, string]
  const conflict = (kind: Conflict['kind'], name: string, among: readonly Candidate[]): Conflict => {
    const candidates = among
      .map(({ pos, value }) => ({ pos, value, node: past.nodeAt(pos) }))
      .sort((one, other) => (one.node.id < other.node.id ? -1 : 1))
    const ids = candidates.map(({ node }) => node.id)
    const register = `${entity}/${name}`
    return {
      conflictId: conflictIdOf(codecs, register, ids),
      kind,
      entity: { type, id },
      register,
      candidates: candidates.map(({ node, value }) => ({
        id: node.id,
        value,
        deviceId: node.signer,
        issuedAtMs: node.issuedAtMs,
      })),
      shown: (kind === 'claim' && candidates.find(({ pos }) => pos === inForce)?.node.id) || ids[0]!,
    }
  }

  const redacted = byName.get('redacted')?.some(({ value }) => value === 'true') === true
  const conflicts: Conflict[] = []
  for (const [name, values] of byName) {
    if (values.length < 2 || name === CREATED || name === REBOARDED || isTrueWins(name) || !differ(values)) continue
    if (!isTouched(name, written)) continue
    // The text of a redacted comment is not shown, so there is nothing to choose.
    if (redacted && name === 'bodyHash') continue
    const candidates = values.map(({ pos, value }) => ({ pos, value: JSON.parse(value) as unknown }))
    conflicts.push(conflict(name === 'place' || name === 'claim' ? name : 'field', name, candidates))
  }
  if (isArchivable(entity)) {
    const candidates = concurrentEdits(past, byName)
    if (candidates.length > 0) {
      const edit = conflict('archive_edit', 'archived', candidates)
      return [...conflicts.filter(({ conflictId }) => conflictId !== edit.conflictId), edit]
    }
  }
  return conflicts
}

/** The archivings and the edits of an entity that are concurrent. Claims, comments and links do not count as edits. */
function concurrentEdits(past: Past, byName: ReadonlyMap<string, readonly RegisterEntry[]>): readonly Candidate[] {
  const archives = (byName.get('archived') ?? []).filter(({ value }) => value === 'true').map(({ pos }) => pos)
  if (archives.length === 0) return []
  const edits = new Set<number>()
  for (const [name, entries] of byName) {
    if (name === 'archived' || name === 'claim' || name === CREATED || name === REBOARDED) continue
    for (const { pos } of entries) edits.add(pos)
  }
  const { first, second } = findConcurrent(past, archives, [...edits])
  return [...first.map((pos) => ({ pos, value: true })), ...second.map((pos) => ({ pos, value: false }))]
}
