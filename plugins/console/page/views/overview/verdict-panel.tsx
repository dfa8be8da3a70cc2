/** The verdict in words, with its findings. It is the first thing on the page. */
import type { JSX } from 'preact'
import type { Day } from '../../../../telemetry/api.ts'
import { connection, lostAtMs } from '../../lib/console-fetch.ts'
import { clockTime, visible } from '../../lib/format.ts'
import type { Reading } from '../../lib/reading.ts'
import { at } from '../../lib/router.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago } from '../../parts/parts.tsx'
import type { Facts } from './facts.ts'
import { checks, scrape } from './history.ts'
import { findingsOf, unknownsOf, verdictOf } from './verdict.ts'
import type { Finding } from './verdict-trends.ts'

/**
 * Shows the verdict. `polled` is the reading of the readiness and of the metrics, `day` the last day if it is known.
 */
export function VerdictPanel({
  of,
  polled,
  day,
}: {
  readonly of: Reading<Facts>
  readonly polled: Reading<unknown>
  readonly day: Day | undefined
}): JSX.Element {
  const isReachable = connection.value === 'up'
  const reading: Reading<Facts> = { ...of, error: of.error ?? polled.error, atMs: polled.atMs && of.atMs }
  const findings =
    of.data === undefined || !isReachable || reading.error !== undefined || reading.atMs === undefined
      ? undefined
      : findingsOf({ checks: checks.value, facts: of.data, scrape: scrape.value, day, nowMs: now.value })
  const tone = isReachable ? (findings === undefined ? 'plain' : findings.length === 0 ? 'ok' : 'warn') : 'bad'
  return (
    <section class={`verdict verdict-${tone}`} aria-label="Verdict">
      <h2>{titleOf(findings)}</h2>
      {findings === undefined ? (
        isReachable ? (
          <Datum of={reading} name="the health of the service" />
        ) : (
          <p>
            {connection.value === 'ended'
              ? 'The console has ended: run svc console again, and open the address that it prints.'
              : 'The console gets no answer from the service. Start the service, or look at its log.'}
          </p>
        )
      ) : (
        <>
          {findings.length > 0 && (
            <ul>
              {findings.map((finding) => (
                <FindingRow key={finding.what} of={finding} />
              ))}
            </ul>
          )}
          <Unknowns facts={of.data} day={day} />
        </>
      )}
    </section>
  )
}

function titleOf(findings: readonly Finding[] | undefined): string {
  if (connection.value !== 'up')
    return `Not reachable${lostAtMs.value === undefined ? '' : ` since ${clockTime(lostAtMs.value).slice(0, 5)}`}`
  return findings === undefined ? 'Not known yet' : verdictOf(findings)
}

function Unknowns({
  facts,
  day,
}: {
  readonly facts: Facts | undefined
  readonly day: Day | undefined
}): JSX.Element | null {
  const unknown = facts === undefined ? [] : unknownsOf(facts, scrape.value, day)
  if (unknown.length === 0) return null
  return <p>The verdict is not about: {unknown.join(', ')}.</p>
}

function FindingRow({
  of: { what, sinceMs, isAtLeast = false, affects, next, href },
}: {
  readonly of: Finding
}): JSX.Element {
  return (
    <li>
      <strong>{visible(what, 300)}</strong>{' '}
      {sinceMs === undefined ? (
        <span class="verdict-since">since when is not known</span>
      ) : (
        <span class="verdict-since">
          {isAtLeast ? 'since at least' : 'since'} {clockTime(sinceMs).slice(0, 5)} (<Ago timeMs={sinceMs} />)
        </span>
      )}
      <p>{visible(affects, 600)}</p>
      <p>
        Next: {visible(next, 400)} {href !== undefined && <a href={at(href)}>Show it</a>}
      </p>
    </li>
  )
}
