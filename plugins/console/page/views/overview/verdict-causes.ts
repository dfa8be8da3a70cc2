/** Findings with one cause are one problem. */
import type { Finding } from './verdict-trends.ts'

/** The causes of failed checks that several checks, or other findings, report too. */
const CAUSES: Readonly<Record<string, Finding['cause']>> = {
  store_log: 'log of the store',
  receipt_store: 'store',
  persistence: 'store',
}

/** The cause that a check shares with other findings; undefined if it stands alone. */
export function causeOf(check: string): Finding['cause'] {
  return Object.hasOwn(CAUSES, check) ? CAUSES[check] : undefined
}

/**
 * Makes one finding of those with the same cause, at the place of the first. It has the words of the last, which comes
 * from a measured value if there is one, and says what the others have found.
 */
export function mergedByCause(findings: readonly Finding[]): readonly Finding[] {
  return findings.flatMap((finding, index) => {
    const { cause } = finding
    if (cause === undefined) return [finding]
    const same = findings.filter((other) => other.cause === cause)
    return findings.findIndex((other) => other.cause === cause) === index
      ? [merged(same.at(-1) ?? finding, same.slice(0, -1))]
      : []
  })
}

function merged(lead: Finding, others: readonly Finding[]): Finding {
  const sentences = new Set([lead.affects, ...others.map(({ what }) => what), ...others.map(({ affects }) => affects)])
  const [earliest = lead] = [...others, lead]
    .filter(({ sinceMs }) => sinceMs !== undefined)
    .sort((one, other) => (one.sinceMs ?? 0) - (other.sinceMs ?? 0))
  const { sinceMs, isAtLeast = false } = earliest
  return { ...lead, sinceMs, isAtLeast, affects: [...sentences].join(' ') }
}
