/**
 * Merges equal refusals to one entry of the audit chain, so that a caller that is refused in a loop does not fill the
 * chain.
 */
import { dropOldest } from '../../../../core/drop-oldest.ts'

/** The default time within which equal refusals are one entry. */
const EVERY_MS = 60_000
/** Most refusals that are remembered. The oldest are removed first. */
const MAX_REMEMBERED = 1_024

/** Returns whether a refusal needs an entry. */
export type Coalesce = (refusal: {
  readonly project: string | null
  readonly actor: string
  readonly outcome: string
  readonly user?: string
}) => boolean

/** Makes a memory of refusals. `monotonic` returns milliseconds that never go back. */
export function createCoalesce(monotonic: () => number, everyMs: number = EVERY_MS): Coalesce {
  const recordedMs = new Map<string, number>()
  return ({ project, actor, outcome, user }) => {
    const key = JSON.stringify([project, actor, outcome, user])
    const nowMs = monotonic()
    const last = recordedMs.get(key)
    if (last !== undefined && nowMs - last < everyMs) return false
    // Moves the key to the end of the map, so that the first key is always the oldest.
    recordedMs.delete(key)
    if (recordedMs.size >= MAX_REMEMBERED) dropOldest(recordedMs)
    recordedMs.set(key, nowMs)
    return true
  }
}
