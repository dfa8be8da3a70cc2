import type { Awaitable } from '../../core/kernel/values.ts'
import { until } from '../../scripts/until.ts'
import { WAIT_MS } from '../runner/limit.ts'

/** Waits for a condition, for as long as a test may. */
export function waitFor(what: string, holds: () => Awaitable<boolean>): Promise<number> {
  return until(what, holds, WAIT_MS)
}
