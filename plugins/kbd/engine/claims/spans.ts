/**
 * The time of claims. Each entry of a claim, that is its acquire or force and each renewal, has a span: from
 * `CLOCK_TOLERANCE_MS` before its `issuedAtMs` until its lease ends. A claim is in force while one of its spans lasts,
 * and at most until its cap: the moment from which a later claim of the card counts. Every rule depends only on
 * commands and their times, never on a clock here, so that every node decides alike.
 */
import { CLOCK_TOLERANCE_MS } from '../../../protocol/clocks.ts'
import type { ClaimRow, ClaimStatements } from './statements.ts'

/** The span of an acquire or a force. Unix time in milliseconds. */
interface Span {
  readonly issuedAtMs: number
  readonly endMs: number
}

/** The time from which an entry counts. Clocks that are right differ by less, so a reader does not miss a new claim. */
export function startOf({ issuedAtMs }: Pick<Span, 'issuedAtMs'>): number {
  return issuedAtMs - CLOCK_TOLERANCE_MS
}

/** Whether the spans of two claims overlap. Concurrent claims are rivals only then. */
export function overlap(one: Span, other: Span): boolean {
  return startOf(one) < other.endMs && startOf(other) < one.endMs
}

/** The end of the run of a claim, after an entry with a new end was added. */
export function runEndOf(statements: ClaimStatements, p: number, claim: ClaimRow, newEndMs: number): number {
  let { runEndMs } = claim
  // An entry whose time comes after the run has ended begins no run of its own, until other entries close the gap.
  while (Math.max(claim.lastEndMs, newEndMs) > runEndMs) {
    const endMs = statements.reaches(p, claim.pos, runEndMs + CLOCK_TOLERANCE_MS, runEndMs)
    if (endMs === undefined) break
    runEndMs = endMs
  }
  return runEndMs
}
