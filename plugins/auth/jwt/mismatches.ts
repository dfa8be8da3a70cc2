import type { Clock } from '../../../core/environment.ts'
import type { Logger } from '../../../core/log.ts'
import type { ClaimPolicy } from '../token/claims.ts'

/** At most one line for each claim in this time, in milliseconds, because each request with such a token causes one. */
const QUIET_MS = 10_000

/**
 * Creates the function that logs the `iss` or `aud` of refused tokens beside the configured value. The caller does not get them,
 * because the configuration is not the caller's business.
 */
export function createMismatchLog(log: Logger, { monotonic }: Clock): NonNullable<ClaimPolicy['onMismatch']> {
  const counts = new Map<string, { refused: number; quietUntilMs: number }>()
  return (claim, expected, received) => {
    const count = counts.get(claim) ?? { refused: 0, quietUntilMs: -Infinity }
    counts.set(claim, count)
    count.refused++
    if (monotonic() < count.quietUntilMs) return
    const { refused } = count
    log.warn(`A token is refused because of its ${claim} claim.`, { expected, received: received ?? null, refused })
    counts.set(claim, { refused: 0, quietUntilMs: monotonic() + QUIET_MS })
  }
}
