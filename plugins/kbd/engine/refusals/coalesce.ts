/** Equal refusals within a minute are one entry: a caller that is refused in a loop does not fill the chain. */
import { dropOldest } from '../../../../core/drop-oldest.ts'

/** Refusals of one kind are told once in this time, where nothing else is said. */
const EVERY_MS = 60_000
/** Refusals that are remembered; the oldest go first. */
const MAX_REMEMBERED = 1_024

/** Says whether a refusal is to be told. */
export type Coalesce = (refusal: {
  readonly project: string | null
  readonly actor: string
  readonly outcome: string
}) => boolean

/** Makes a memory of refusals; `monotonic` gives milliseconds that never go back, as `everyMs` is counted. */
export function createCoalesce(monotonic: () => number, everyMs: number = EVERY_MS): Coalesce {
  const told = new Map<string, number>()
  return ({ project, actor, outcome }) => {
    const key = JSON.stringify([project, actor, outcome])
    const nowMs = monotonic()
    const last = told.get(key)
    if (last !== undefined && nowMs - last < everyMs) return false
    // Again at the end of the order, so that the first is always the oldest.
    told.delete(key)
    if (told.size >= MAX_REMEMBERED) dropOldest(told)
    told.set(key, nowMs)
    return true
  }
}
