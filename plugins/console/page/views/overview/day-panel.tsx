/**
 * The last 24 hours of the service: a drawing with gaps where nothing is known, any minute in words, and a table by the
 * hour.
 */
import type { JSX } from 'preact'
import type { Day } from '../../../../telemetry/api.ts'
import { count, countOf } from '../../lib/format.ts'
import type { Reading } from '../../lib/reading.ts'
import { query, setQuery } from '../../lib/router.ts'
import { loadedSession } from '../../lib/service.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Panel } from '../../parts/parts.tsx'
import * as of from './day.ts'
import { DayLine, StateStrip } from './day-chart.tsx'

/** The minute that is looked at where the address names none: an hour ago. */
const AGO_MS = 3_600_000

/** Shows the last day; the reading has undefined if the service keeps no history. */
export function DayPanel({ of: reading }: { readonly of: Reading<Day | undefined> }): JSX.Element | null {
  if (loadedSession().local === null) return null
  return (
    <Panel title="The last 24 hours">
      <Datum of={reading} name="the last 24 hours">
        {(day) =>
          day === undefined ? <p class="day-none">Not known: this service keeps no history.</p> : <Drawn day={day} />
        }
      </Datum>
    </Panel>
  )
}

function Drawn({ day }: { readonly day: Day }): JSX.Element {
  const starts = of.startsOf(day)
  const minutes = day.requests.length
  return (
    <div class="day">
      <p>{of.dayInWords(day)}</p>
      <div class="day-rows">
        {day.checks.map((check) => (
          <Row
            key={`${check.surface} ${check.name}`}
            name={check.name.replaceAll('_', ' ')}
            aside={`${check.surface}${check.required ? '' : ', optional'}`}
          >
            <StateStrip spans={of.spansOfCheck(check)} minutes={minutes} label={checkLabel(check)} />
          </Row>
        ))}
        {SERIES.map(({ name, title, unit }) => {
          const most = Math.max(0, ...day[name].map((value) => value ?? 0))
          const aside = `at most ${count(most)}${unit}`
          return (
            <Row key={name} name={title} aside={aside}>
              <DayLine
                values={day[name]}
                starts={starts}
                label={`${title} by minute, ${aside}, in the last 24 hours`}
              />
            </Row>
          )
        })}
        <Minute day={day} />
      </div>
      <Hours day={day} />
    </div>
  )
}

const SERIES = [
  { name: 'requests', title: 'Requests', unit: ' a minute' },
  { name: 'errors', title: 'Errors', unit: ' a minute' },
  { name: 'refusals', title: 'Refusals', unit: ' a minute' },
  { name: 'p95Ms', title: 'Latency, p95', unit: ' ms' },
  { name: 'streams', title: 'Open streams', unit: '' },
] as const

function Row({
  name,
  aside,
  children,
}: {
  readonly name: string
  readonly aside: string
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <div class="day-row">
      <span class="day-name">
        {name} <span class="check-surface">{aside}</span>
      </span>
      {children}
    </div>
  )
}

function checkLabel({ name, values }: Day['checks'][number]): string {
  const results = values.filter((value) => value !== null)
  const failed = results.filter((value) => !value).length
  return `${name.replaceAll('_', ' ')}: failed in ${failed} of ${countOf(results.length, 'known minute')}, ${values.length - results.length} not known`
}

/** Any minute in words. Which one is in the address. */
function Minute({ day }: { readonly day: Day }): JSX.Element {
  const wanted = Date.parse(query.value.get('minute') ?? '')
  const timeMs = Number.isNaN(wanted) ? now.value - AGO_MS : wanted
  const index = of.indexAt(day, timeMs)
  const shownMs = index === undefined ? timeMs : of.timeAt(day, index)
  const isDefault = Number.isNaN(wanted)
  const title = `${isDefault ? 'An hour ago, ' : ''}${of.minuteTime(shownMs)}`
  const words = index === undefined ? 'Not known: outside of the last 24 hours.' : of.minuteInWords(day, index)
  const last = day.requests.length - 1
  return (
    <>
      <div class="day-row">
        <span class="day-name">
          <label for="day-minute">Minute</label>{' '}
          <span class="check-surface">
            {of.minuteTime(day.fromMs)} to {of.minuteTime(of.timeAt(day, last))}
          </span>
        </span>
        <input
          id="day-minute"
          type="range"
          min="0"
          max={last}
          value={index ?? 0}
          aria-valuetext={`${title}: ${words}`}
          onInput={({ currentTarget }) =>
            setQuery('minute', new Date(of.timeAt(day, Number(currentTarget.value))).toISOString().slice(0, 16) + 'Z')
          }
        />
      </div>
      <p class="day-minute" role="status">
        <strong>{title}:</strong> {words}{' '}
        {!isDefault && (
          <button type="button" class="quiet small" onClick={() => setQuery('minute', undefined)}>
            An hour ago
          </button>
        )}
      </p>
    </>
  )
}

function Hours({ day }: { readonly day: Day }): JSX.Element {
  return (
    <details class="day-hours">
      <summary>By the hour</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page can be scrolled with the keyboard */}
      <section class="day-table" aria-label="The last 24 hours by the hour" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['From', 'Not ready', 'Not known', 'Starts', 'Requests', 'Errors', 'Refusals', 'p95', 'Streams'].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {of.hoursOf(day).map((hour) => (
              <tr key={hour.fromMs}>
                <th scope="row">{of.minuteTime(hour.fromMs)}</th>
                <td>{hour.knownMinutes === 0 ? '–' : `${hour.failed} min`}</td>
                <td>{60 - hour.knownMinutes} min</td>
                {[hour.starts, hour.requests, hour.errors, hour.refusals].map((value, index) => (
                  <td key={index}>{hour.knownMinutes === 0 && value === 0 ? '–' : count(value)}</td>
                ))}
                <td>{hour.p95Ms === undefined ? '–' : `${hour.p95Ms} ms`}</td>
                <td>{hour.streams === undefined ? '–' : count(hour.streams)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
