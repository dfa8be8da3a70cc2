/** The last day in the console: states, spans, and minutes in words. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  dayInWords,
  hoursOf,
  indexAt,
  minuteInWords,
  spansOf,
  spansOfCheck,
  stateOf,
} from '../../../plugins/console/page/views/overview/day.ts'
import type { Day } from '../../../plugins/telemetry/api.ts'

const test = suite('the last day in the console')
const FROM_MS = Date.UTC(2030, 0, 1)
const fill = <T>(values: Readonly<Record<number, T>>): (T | null)[] =>
  Array.from({ length: 1_440 }, (_, index) => values[index] ?? null)

/**
 * Minutes 100 to 103 and 110 are known. The store fails in 102, an optional check in 103, and there is a start in 110.
 */
const day: Day = {
  fromMs: FROM_MS,
  stepMs: 60_000,
  checks: [
    {
      name: 'receipt_store',
      surface: 'local',
      required: true,
      values: fill({ 100: true, 101: true, 102: false, 103: true, 110: true }),
    },
    {
      name: 'memory',
      surface: 'runtime',
      required: false,
      values: fill({ 100: true, 101: true, 102: true, 103: false, 110: true }),
    },
  ],
  requests: fill({ 100: 7, 101: 0, 102: 1, 103: 2, 110: 3 }),
  errors: fill({ 100: 1, 101: 0, 102: 0, 103: 0, 110: 0 }),
  refusals: fill({ 100: 2, 101: 0, 102: 0, 103: 0, 110: 0 }),
  p95Ms: fill({ 100: 4.2, 102: 9 }),
  streams: fill({ 100: 3, 101: 3, 102: 3, 103: 3, 110: 0 }),
  starts: fill({ 100: 0, 101: 0, 102: 0, 103: 0, 110: 1 }),
}

test('each minute has a state, and what is not known is not ready', () => {
  assert.equal(
    [99, 100, 102, 103, 104, 110].map((index) => stateOf(day, index)),
    ['unknown', 'ready', 'failed', 'impaired', 'unknown', 'ready'],
  )
  assert.equal(
    spansOf(day).map(({ state, from, to }) => `${state} ${from}-${to}`),
    [
      'unknown 0-99',
      'ready 100-101',
      'failed 102-102',
      'impaired 103-103',
      'unknown 104-109',
      'ready 110-110',
      'unknown 111-1439',
    ],
  )
  assert.is(spansOfCheck(day.checks[1]!)[2]?.state, 'impaired', 'a failure of an optional check')
})

test('a minute is told in words', () => {
  assert.is(
    minuteInWords(day, 100),
    'Healthy. All 2 checks passed. 7 requests, 1 error, 2 refusals, 95th percentile 4.2 ms, 3 open streams.',
  )
  assert.match(minuteInWords(day, 102), /^Not ready\. Failed: receipt store of the local surface\. 1 request,/)
  assert.match(minuteInWords(day, 103), /^Ready, but a check failed\. Failed: memory of the runtime surface\./)
  assert.match(minuteInWords(day, 104), /^Not known: no values were recorded\. .* or had no history yet\.$/)
  assert.match(minuteInWords(day, 110), /0 open streams\. The service started\.$/)
})

test('the day is told in words, with what is not known of it', () => {
  assert.match(
    dayInWords(day),
    /^Not ready in 1 of 5 known minutes\. A check .* in 1 minute\. Nothing is known of 1\u2009435 minutes\. 1 start, the last one at \d\d:\d\d\.$/,
  )
  const nothing = { ...day, checks: [], requests: fill<number>({}) }
  assert.is(dayInWords(nothing), 'Nothing is known of the last 24 hours yet.')
})

test('a time outside of the day has no minute', () => {
  assert.is(indexAt(day, FROM_MS), 0)
  assert.is(indexAt(day, FROM_MS + 1_440 * 60_000 - 1), 1_439)
  assert.is(indexAt(day, FROM_MS - 1), undefined)
  assert.is(indexAt(day, FROM_MS + 1_440 * 60_000), undefined)
})

test('hours have sums and highest values, and none of what is not known', () => {
  const hours = hoursOf(day)
  assert.is(hours.length, 24)
  assert.equal(hours.at(-2), {
    fromMs: FROM_MS + 3_600_000,
    knownMinutes: 5,
    failed: 1,
    starts: 1,
    requests: 13,
    errors: 1,
    refusals: 2,
    p95Ms: 9,
    streams: 3,
  })
  const { knownMinutes, p95Ms, streams } = hours[0]!
  assert.equal([knownMinutes, p95Ms, streams], [0, undefined, undefined])
})

test.run()
