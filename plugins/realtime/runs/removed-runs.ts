/** How many runs this process has seen removed: a list cannot show them, and must not look complete. */
import type { RunOwner, RunOwners, RunRecord } from './api.ts'

/** The removed runs of one or more owners. */
export interface RemovedCount {
  readonly count: number
  /** Since when they are counted, in Unix ms. How many were removed before is not known. */
  readonly since_ms: number
}

/** Counts removed runs. */
export interface RemovedRuns {
  add(record: Pick<RunRecord, 'owner'>): void
  of(owners: RunOwners): RemovedCount
}

/** Most owners that are counted. With more, the count begins anew. */
const MOST_OWNERS = 10_000

/** Creates a count that begins at once. `now` gives the Unix time in milliseconds. */
export function createRemovedRuns(now: () => number): RemovedRuns {
  const counts = new Map<string, { readonly owner: RunOwner; readonly count: number }>()
  let since_ms = now()
  return {
    add({ owner }) {
      const key = JSON.stringify([owner.tenant_id, owner.user_id])
      if (counts.size === MOST_OWNERS && !counts.has(key)) {
        counts.clear()
        since_ms = now()
      }
      counts.set(key, { owner, count: (counts.get(key)?.count ?? 0) + 1 })
    },
    of({ tenant_id, user_id }) {
      let count = 0
      for (const one of counts.values())
        if (
          (tenant_id === undefined || one.owner.tenant_id === tenant_id) &&
          (user_id === undefined || one.owner.user_id === user_id)
        )
          count += one.count
      return { count, since_ms }
    },
  }
}
