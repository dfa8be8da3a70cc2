/** What the last day of the service was like: states by minute, spans, and each minute in words. */
import type { Day } from '../../../../telemetry/api.ts'
import { countOf, twoDigits } from '../../lib/format.ts'

/** Ready; ready while a check that is not required fails; not ready; or nothing is known. */
export type MinuteState = 'ready' | 'impaired' | 'failed' | 'unknown'

/** Minutes one after another with the same state. `to` is the last one. */
export interface Span {
  readonly state: MinuteState
  readonly from: number
  readonly to: number
}

/** The state of a minute by its index. */
export function stateOf({ checks }: Day, index: number): MinuteState {
  const knownChecks = checks.filter(({ values }) => typeof values[index] === 'boolean')
  if (knownChecks.length === 0) return 'unknown'
  const failed = knownChecks.filter(({ values }) => values[index] === false)
  if (failed.some(({ required }) => required)) return 'failed'
  return failed.length > 0 ? 'impaired' : 'ready'
}

/** The whole day in spans, oldest first. */
export function spansOf(day: Day): readonly Span[] {
  return spansBy(day.requests.length, (index) => stateOf(day, index))
}

/** The minutes of one check in spans. */
export function spansOfCheck({ values, required }: Day['checks'][number]): readonly Span[] {
  const failed = required ? 'failed' : 'impaired'
  return spansBy(values.length, (index) =>
    typeof values[index] !== 'boolean' ? 'unknown' : values[index] ? 'ready' : failed,
  )
}

function spansBy(length: number, state: (index: number) => MinuteState): readonly Span[] {
  const spans: { state: MinuteState; from: number; to: number }[] = []
  for (let index = 0; index < length; index++) {
    const last = spans.at(-1)
    if (last?.state === state(index)) last.to = index
    else spans.push({ state: state(index), from: index, to: index })
  }
  return spans
}

/** The index of a Unix time in milliseconds; undefined outside the day. */
export function indexAt({ fromMs, stepMs, requests }: Day, timeMs: number): number | undefined {
  const index = Math.floor((timeMs - fromMs) / stepMs)
  return index >= 0 && index < requests.length ? index : undefined
}

/** The Unix time in milliseconds at which a minute begins. */
export function timeAt({ fromMs, stepMs }: Day, index: number): number {
  return fromMs + index * stepMs
}

/** The local time of day of a minute: `22:15`. */
export function minuteTime(timeMs: number): string {
  const time = new Date(timeMs)
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

/** The state of the service in a minute, in a word or two. */
const stateWords: Readonly<Record<MinuteState, string>> = {
  ready: 'Healthy',
  impaired: 'Ready, but a check failed',
  failed: 'Not ready',
  unknown: 'Not known',
}

/** What is known of a minute, in sentences. */
export function minuteInWords(day: Day, index: number): string {
  const state = stateOf(day, index)
  const { requests, errors, refusals, p95Ms, streams, starts } = day
  const asked = requests[index]
  if (state === 'unknown' && typeof asked !== 'number')
    return 'Not known: no values were recorded. The service did not run, could not write its store, or had no history yet.'
  const failed = day.checks.filter(({ values }) => values[index] === false)
  const passed = day.checks.filter(({ values }) => values[index] === true)
  const names = failed.map(({ name, surface }) => `${name.replaceAll('_', ' ')} of the ${surface} surface`)
  const checks =
    state === 'unknown'
      ? 'No check has run yet.'
      : failed.length === 0
        ? `All ${countOf(passed.length, 'check')} passed.`
        : `Failed: ${names.join(', ')}.`
  const p95 = p95Ms[index]
  const open = streams[index] ?? 0
  return [
    `${stateWords[state]}.`,
    checks,
    `${countOf(asked ?? 0, 'request')}, ${countOf(errors[index] ?? 0, 'error')}, ${countOf(refusals[index] ?? 0, 'refusal')}${typeof p95 === 'number' ? `, 95th percentile ${p95} ms` : ''}, ${countOf(open, 'open stream')}.`,
    ...((starts[index] ?? 0) > 0
      ? [`The service started${starts[index] === 1 ? '' : ` ${starts[index]} times`}.`]
      : []),
  ].join(' ')
}

/** The day in sentences: how long it was ready, what is not known, and the starts. */
export function dayInWords(day: Day): string {
  const spans = spansOf(day)
  const minutes = (state: MinuteState): number =>
    spans.reduce((sum, span) => sum + (span.state === state ? span.to - span.from + 1 : 0), 0)
  const [failed, impaired, unknown] = [minutes('failed'), minutes('impaired'), minutes('unknown')]
  const knownMinutes = day.requests.length - unknown
  if (knownMinutes === 0) return 'Nothing is known of the last 24 hours yet.'
  const starts = startsOf(day)
  const last = starts.at(-1)
  return [
    failed === 0
      ? `Ready in ${knownMinutes === 1 ? 'the one known minute' : `all ${countOf(knownMinutes, 'known minute')}`}.`
      : `Not ready in ${failed} of ${countOf(knownMinutes, 'known minute')}.`,
    ...(impaired > 0 ? [`A check that is not required failed in ${countOf(impaired, 'minute')}.`] : []),
    ...(unknown > 0 ? [`Nothing is known of ${countOf(unknown, 'minute')}.`] : []),
    last === undefined
      ? 'No start.'
      : `${countOf(
          starts.reduce((sum, index) => sum + (day.starts[index] ?? 0), 0),
          'start',
        )}, the last one at ${minuteTime(timeAt(day, last))}.`,
  ].join(' ')
}

/** The minutes in which the service started. */
export function startsOf({ starts }: Day): readonly number[] {
  return starts.flatMap((value, index) => ((value ?? 0) > 0 ? [index] : []))
}

/** The numbers of one hour, for the table. */
export interface HourRow {
  /** Unix time in milliseconds. */
  readonly fromMs: number
  readonly knownMinutes: number
  readonly failed: number
  readonly starts: number
  readonly requests: number
  readonly errors: number
  readonly refusals: number
  /** The highest of its minutes; undefined if there is none. */
  readonly p95Ms: number | undefined
  readonly streams: number | undefined
}

/** The day in hours, the newest first. */
export function hoursOf(day: Day): readonly HourRow[] {
  const hours = Math.ceil(day.requests.length / 60)
  return Array.from({ length: hours }, (_, hour) => {
    const from = hour * 60
    const part = (values: readonly (number | null)[]): number[] =>
      values.slice(from, from + 60).filter((value) => value !== null)
    const sum = (values: readonly (number | null)[]): number => part(values).reduce((all, value) => all + value, 0)
    const most = (values: readonly (number | null)[]): number | undefined => {
      const numbers = part(values)
      return numbers.length === 0 ? undefined : Math.max(...numbers)
    }
    const states = Array.from({ length: 60 }, (__, minute) => stateOf(day, from + minute))
    return {
      fromMs: timeAt(day, from),
      knownMinutes: states.filter((state) => state !== 'unknown').length,
      failed: states.filter((state) => state === 'failed').length,
      starts: sum(day.starts),
      requests: sum(day.requests),
      errors: sum(day.errors),
      refusals: sum(day.refusals),
      p95Ms: most(day.p95Ms),
      streams: most(day.streams),
    }
  }).toReversed()
}
