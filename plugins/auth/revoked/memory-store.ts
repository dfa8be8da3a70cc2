import type { Revocation, RevocationBounds, RevocationDraft, RevocationStore, Subject } from '../api.ts'
import { endOfJti } from '../credential-ids.ts'
import { keyOf } from './revoked-list.ts'

/** A store in memory. Stores that write somewhere else build on it. */
export interface MemoryRevocationStore extends RevocationStore {
  /**
   * The revocation that `revoke` would make; null if there is no room. Nothing is changed but that dead rows make room.
   */
  draft(draft: RevocationDraft, nowMs: number, bounds: RevocationBounds): Revocation | null
  /** The revocation that `lift` would make. */
  draftLift(subject: Subject, nowMs: number): Revocation | null
  /** The revocations that `eraseReasons` would make. */
  draftErasure(subject: Subject): readonly Revocation[]
  /** Takes revocations, in the order of their numbers, and gives them to the readers. */
  take(rows: readonly Revocation[]): void
  revoke(draft: RevocationDraft, nowMs: number, bounds: RevocationBounds): Revocation | null
  lift(subject: Subject, nowMs: number): Revocation | null
  eraseReasons(subject: Subject): number
}

/** A full store is searched for expired rows at most once in this time. */
const SEARCH_INTERVAL_MS = 1_000

/** Creates the store. `onRemoved` is called with each row that is removed because its token has expired. */
export function createMemoryRevocationStore(onRemoved: (row: Revocation) => void = () => {}): MemoryRevocationStore {
  const rows = new Map<string, Revocation>()
  const counts = new Map<string, number>()
  const listeners = new Set<(changed: readonly Revocation[]) => void>()
  let last = 0
  let searchedAtMs = -Infinity

  const take = (changed: readonly Revocation[]): void => {
    for (const row of changed) {
      const key = keyOf(row)
      if (!rows.has(key)) counts.set(row.tenant, (counts.get(row.tenant) ?? 0) + 1)
      rows.set(key, row)
      last = Math.max(last, row.number, row.change)
    }
    if (changed.length > 0) for (const listener of listeners) listener(changed)
  }
  const removeExpired = (nowMs: number): void => {
    // The search reads all rows, and any caller with the scope can cause it.
    if (Math.abs(nowMs - searchedAtMs) < SEARCH_INTERVAL_MS) return
    searchedAtMs = nowMs
    for (const [key, row] of rows) {
      if (nowMs < endOfJti(row.jti)) continue
      rows.delete(key)
      counts.set(row.tenant, (counts.get(row.tenant) ?? 1) - 1)
      onRemoved(row)
    }
  }
  const hasRoom = (tenant: string, bounds: RevocationBounds): boolean =>
    rows.size < bounds.maxRevocations && (counts.get(tenant) ?? 0) < bounds.maxRevocationsPerTenant

  const draft: MemoryRevocationStore['draft'] = ({ endMs: _, ...wanted }, nowMs, bounds) => {
    const row = rows.get(keyOf(wanted))
    if (row === undefined && !hasRoom(wanted.tenant, bounds)) {
      removeExpired(nowMs)
      if (!hasRoom(wanted.tenant, bounds)) return null
    }
    // Larger than every number that was ever given out, also if the store was restored from a backup or the clock was
    // set back.
    const number = Math.max(last + 1, nowMs)
    // The clock may have been set back since the revocation that this one renews.
    const notBeforeMs = Math.max(nowMs, row?.notBeforeMs ?? 0)
    return { ...wanted, number, change: number, notBeforeMs, liftedAtMs: null }
  }
  const draftLift: MemoryRevocationStore['draftLift'] = ({ tenant, user }, nowMs) => {
    const row = rows.get(keyOf({ tenant, user, jti: null }))
    if (row === undefined || row.liftedAtMs !== null) return row ?? null
    return { ...row, liftedAtMs: nowMs, change: last + 1 }
  }
  const draftErasure: MemoryRevocationStore['draftErasure'] = ({ tenant, user }) =>
    [...rows.values()]
      .filter((row) => row.tenant === tenant && row.user === user && row.reason !== null)
      .map((row, index) => ({ ...row, reason: null, change: last + 1 + index }))
  const taken = (row: Revocation | null): Revocation | null => {
    if (row !== null) take([row])
    return row
  }
  return {
    durable: false,
    draft,
    draftLift,
    draftErasure,
    take,
    revoke: (wanted, nowMs, bounds) => taken(draft(wanted, nowMs, bounds)),
    lift: (subject, nowMs) => taken(draftLift(subject, nowMs)),
    eraseReasons: (subject) => {
      const changed = draftErasure(subject)
      take(changed)
      return changed.length
    },
    follow: (listener) => {
      listeners.add(listener)
      if (rows.size > 0) listener([...rows.values()].sort((one, other) => one.number - other.number))
    },
  }
}
