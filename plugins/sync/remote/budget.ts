/** Counts what each caller uses within a minute. The clock is monotonic, so that a clock that is set back lengthens no minute. */
import { httpFail } from '../../../core/catalogue.ts'
import { dropOldest } from '../../../core/drop-oldest.ts'

const WINDOW_MS = 60_000
/** Callers whose use is counted, about 2 MB. Beyond it, the use of the caller whose minute began first is no longer counted. */
const MAX_CALLERS = 10_000

/** A budget of each caller for a minute. */
export interface Budget {
  /** Counts `amount` of a caller. An amount above the limit is allowed to a caller who has used nothing. @throws SvcError `rate_limited` */
  spend(caller: string, amount: number): void
}

/** Creates a budget of `limit` a minute. `what` names it in refusals. */
export function createBudget(limit: number, what: string, monotonic: () => number): Budget {
  const used = new Map<string, { readonly sinceMs: number; amount: number }>()
  return {
    spend(caller, amount) {
      const nowMs = monotonic()
      let entry = used.get(caller)
      if (entry === undefined || nowMs - entry.sinceMs >= WINDOW_MS) {
        used.delete(caller)
        if (used.size >= MAX_CALLERS) dropOldest(used)
        entry = { sinceMs: nowMs, amount: 0 }
        used.set(caller, entry)
      }
      if (entry.amount > 0 && entry.amount + amount > limit) {
        const waitS = Math.ceil((entry.sinceMs + WINDOW_MS - nowMs) / 1_000)
        throw httpFail('rate_limited', {
          message: `This caller has used its ${what} of this minute.`,
          headers: { 'retry-after': String(waitS) },
        })
      }
      entry.amount += amount
    },
  }
}
