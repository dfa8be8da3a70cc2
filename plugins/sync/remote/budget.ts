/**
 * Counts what each caller uses within some time. The clock is monotonic, so that a clock that is set back lengthens no
 * minute.
 */
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { dropOldest } from '../../../core/kernel/values.ts'

const MINUTE_MS = 60_000
/**
 * Callers whose use is counted, about 2 MB. Beyond it, the use of the caller whose time began first is no longer
 * counted.
 */
const MAX_CALLERS = 10_000

/** A budget of each caller for some time. */
export interface Budget {
  /**
   * Counts `amount` of a caller. An amount above the limit is allowed to a caller who has used nothing. @throws
   * SvcError `rate_limited`
   */
  spend(caller: string, amount: number): void
  /** Takes back what was counted before it was needed. */
  refund(caller: string, amount: number): void
}

/** How much each caller may use, of what, and within which time. */
export interface BudgetOptions {
  readonly limit: number
  /** Names it in refusals. */
  readonly what: string
  /** A minute if absent. */
  readonly windowMs?: number
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
}

/** Creates a budget. */
export function createBudget({ limit, what, windowMs = MINUTE_MS, monotonic }: BudgetOptions): Budget {
  const used = new Map<string, { readonly sinceMs: number; amount: number }>()
  return {
    spend(caller, amount) {
      const nowMs = monotonic()
      let entry = used.get(caller)
      if (entry === undefined || nowMs - entry.sinceMs >= windowMs) {
        used.delete(caller)
        if (used.size >= MAX_CALLERS) dropOldest(used)
        entry = { sinceMs: nowMs, amount: 0 }
        used.set(caller, entry)
      }
      if (entry.amount > 0 && entry.amount + amount > limit) {
        const waitS = Math.ceil((entry.sinceMs + windowMs - nowMs) / 1_000)
        throw httpFail('rate_limited', {
          message: `This caller has used its ${what} for now.`,
          headers: { 'retry-after': String(waitS) },
        })
      }
      entry.amount += amount
    },
    refund(caller, amount) {
      const entry = used.get(caller)
      if (entry !== undefined) entry.amount = Math.max(entry.amount - amount, 0)
    },
  }
}
