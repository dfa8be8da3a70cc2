/** Which claim of a card is in force by a clock. The data of a project judges by the graph alone. */
import { CLOCK_TOLERANCE_MS } from './clocks.ts'

/** The members of a claim that decide it. Times are Unix time in milliseconds. */
export interface TimedClaim {
  readonly cardId: string
  readonly state: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** Whether the time of a claim has not come yet. */
export function isAhead({ issuedAtMs }: Pick<TimedClaim, 'issuedAtMs'>, nowMs: number): boolean {
  return issuedAtMs > nowMs + CLOCK_TOLERANCE_MS
}

/** The claim of a card that is in force at `nowMs`. A claim whose time has not come is passed over. */
export function claimAt<C extends TimedClaim>(
  claims: Readonly<Record<string, C>>,
  { cardId, claim }: { readonly cardId: string; readonly claim: string | null },
  nowMs: number,
): C | undefined {
  const isInForce = (one: C): boolean => one.state === 'held' && !isAhead(one, nowMs) && nowMs < one.expiresAtMs
  const latest = claim === null ? undefined : claims[claim]
  if (latest === undefined || isInForce(latest)) return latest
  if (!isAhead(latest, nowMs)) return undefined
  return Object.values(claims).find((one) => one.cardId === cardId && isInForce(one))
}
