/** What the console says of a datum, and the verdict over all of them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isNoAnswer, knowledgeOf } from '../../../plugins/console/page/lib/reading.ts'
import type { Facts } from '../../../plugins/console/page/views/overview/facts.ts'
import { findingsOf, unknownsOf, verdictOf } from '../../../plugins/console/page/views/overview/verdict.ts'
import { eventCounts, filterRuns, lasted, type Run } from '../../../plugins/console/page/views/runs/run-record.ts'
import type { Day } from '../../../plugins/telemetry/api.ts'

const test = suite('what the console claims')

const refused = { status: 401, code: 'token_expired' } as never
const noAnswer = { status: 502, code: 'service_away' } as never

test('a datum is fresh only while the service answers and the last read succeeded', () => {
  assert.is(knowledgeOf({ atMs: undefined, error: undefined }, false), 'loading')
  assert.is(knowledgeOf({ atMs: undefined, error: undefined }, true), 'unknown')
  assert.is(knowledgeOf({ atMs: undefined, error: refused }, false), 'refused')
  assert.is(knowledgeOf({ atMs: undefined, error: noAnswer }, false), 'unknown')
  assert.is(knowledgeOf({ atMs: 1, error: undefined }, false), 'fresh')
  assert.is(knowledgeOf({ atMs: 1, error: undefined }, true), 'stale')
  assert.is(knowledgeOf({ atMs: 1, error: refused }, false), 'stale')
  assert.is(isNoAnswer({ status: 503, code: 'overloaded' }), false)
})

const NOW = 1_000_000_000_000
const healthy: Facts = {
  status: {
    version: '1',
    profile: 'p',
    endpointId: 'e',
    projects: [],
    outbox: { pending: 0, oldestAtMs: null },
    peers: { known: 0, connected: 0 },
  },
  peers: [],
  store: {
    path: 'sync.db',
    version: 1,
    newest: 1,
    bytes: 1,
    logBytes: 1,
    counts: {},
    holds: '',
    disk: { freeBytes: 50e9, totalBytes: 100e9 },
  },
  failedRuns: [],
}
const check = { name: 'devices', surface: 'local' as const, required: true, values: [true], failsSinceMs: undefined }
const run: Run = {
  run_id: 'r1',
  thread_id: 't1',
  status: 'failed',
  created_at_ms: NOW - 60_000,
  ended_at_ms: NOW - 5_000,
  first_seq: 57,
  last_seq: 100,
  epoch: 'e',
  agent: 'planner',
  error: { code: 'tool_timeout', message: 'The tool timed out.' },
}

/** A day of which nothing is known but the last minutes. */
function dayWith(refusals: readonly number[], checks: Day['checks'] = []): Day {
  const list = (values: readonly number[]): (number | null)[] => [
    ...Array.from({ length: 1_440 - values.length }, () => null),
    ...values,
  ]
  const none = list(refusals.map(() => 0))
  const fromMs = NOW - 1_440 * 60_000
  return {
    fromMs,
    stepMs: 60_000,
    checks,
    requests: none,
    errors: none,
    refusals: list(refusals),
    p95Ms: none,
    streams: none,
    starts: none,
  }
}
const quiet = dayWith([0, 0])

test('a service without a finding is healthy, and what cannot be read is named', () => {
  const findings = findingsOf({ checks: [check], facts: healthy, scrape: new Map(), day: undefined, nowMs: NOW })
  assert.equal(findings, [])
  assert.is(verdictOf(findings), 'Healthy')
  assert.equal(unknownsOf(healthy, new Map(), quiet), [])
  assert.equal(unknownsOf({ ...healthy, peers: undefined }, undefined, undefined), ['peers', 'conflicts', 'refusals'])
})

test('each problem has since when, what it affects, and the next step', () => {
  const lastFailure = { code: 'unreachable', message: 'x', atMs: NOW - 9_000 }
  const peer = { endpointId: 'a'.repeat(64), label: 'lamp', transport: 'tls', addresses: [], lastSeenAtMs: null }
  const findings = findingsOf({
    checks: [{ ...check, values: [true, false], failsSinceMs: NOW - 2_000 }, check],
    facts: {
      status: { ...healthy.status!, outbox: { pending: 2, oldestAtMs: NOW - 61_000 } },
      peers: [{ ...peer, state: 'unreachable', lastFailure, failingSinceMs: NOW - 99_000, projects: {} }],
      store: { ...healthy.store!, logBytes: 1e9, disk: { freeBytes: 1e6, totalBytes: 1e9 } },
      failedRuns: [run, { ...run, ended_at_ms: NOW - 2 * 86_400_000 }],
    },
    scrape: new Map([['svc_kbd_conflicts', [{ labels: { project: 'demo' }, value: 3 }]]]),
    day: undefined,
    nowMs: NOW,
  })
  assert.is(verdictOf(findings), '7 problems')
  assert.equal(
    findings.map(({ what, sinceMs }) => [what.slice(0, 18), sinceMs]),
    [
      ['The check “devices', NOW - 2_000],
      ['The disk of the st', undefined],
      ['The log of the sto', undefined],
      ['The peer lamp is a', NOW - 99_000],
      ['2 deliveries in th', NOW - 61_000],
      ['3 conflicts of boa', undefined],
      ['1 run failed in th', NOW - 5_000],
    ],
  )
  for (const { affects, next } of findings) assert.ok(affects !== '' && next !== '')
})

test('refusals that rise are a problem since their first minute; the usual number and a few are none', () => {
  const found = (refusals: readonly number[]) =>
    findingsOf({ checks: [check], facts: healthy, scrape: new Map(), day: dayWith(refusals), nowMs: NOW })
  const usual = Array.from({ length: 60 }, () => 10)
  assert.equal(found([...usual, 10, 12, 9, 10, 11, 0]), [])
  assert.equal(found([0, 0, 0, 0, 5, 5, 5, 0]), [], '15 in five minutes')
  const [finding, ...others] = found([...usual, 10, 11, 90, 80, 70, 0])
  assert.is(others.length, 0)
  assert.match(finding!.what, /refused: 52 a minute, 10\.0 in the hour before/)
  assert.is(finding!.sinceMs, NOW - 4 * 60_000)
})

test('a check fails since the first minute of its failure, also before the page was opened', () => {
  const values = Array.from({ length: 1_440 }, (_, index) => (index < 1_400 ? true : index < 1_439 ? false : null))
  const day = dayWith([0], [{ name: 'devices', surface: 'local', required: true, values }])
  const failing = { ...check, values: [false], failsSinceMs: NOW - 2_000 }
  const [finding] = findingsOf({ checks: [failing], facts: healthy, scrape: undefined, day, nowMs: NOW })
  assert.is(finding?.sinceMs, NOW - 40 * 60_000)
})

test('a certificate is a problem from two weeks before its end', () => {
  const found = (endMs: number) =>
    findingsOf({
      ...{ checks: [], facts: healthy, day: quiet, nowMs: NOW },
      scrape: new Map([
        ['svc_tls_certificate_end_seconds', [{ labels: { surface: 'runtime' }, value: endMs / 1_000 }]],
      ]),
    }).map(({ what }) => what)
  const DAY_MS = 86_400_000
  assert.equal(found(NOW + 15 * DAY_MS), [])
  assert.equal(found(NOW + 13 * DAY_MS), ['The TLS certificate of the runtime surface ends in 13 d.'])
  assert.equal(found(NOW - DAY_MS), ['The TLS certificate of the runtime surface ended 1 d ago.'])
})

test('a check with no answer in the last poll is no finding, because nothing is known of it', () => {
  const checks = [{ ...check, values: [false, undefined] }]
  assert.equal(findingsOf({ checks, facts: healthy, scrape: undefined, day: undefined, nowMs: NOW }), [])
})

test('events are counted that are there, and those that were removed', () => {
  assert.equal(eventCounts(run), { kept: 44, removed: 56 })
  assert.equal(eventCounts({ first_seq: 1, last_seq: 0 }), { kept: 0, removed: 0 })
  assert.equal(eventCounts({ first_seq: 5, last_seq: 4 }), { kept: 0, removed: 4 })
  assert.is(lasted(run, NOW), 'took 55 s')
  assert.is(lasted({ ...run, ended_at_ms: null }, NOW), 'for 1 min')
  assert.is(lasted({ ...run, ended_at_ms: null }, undefined), undefined)
})

test('runs are filtered by id, status, agent and thread', () => {
  const other: Run = { ...run, run_id: 'R2', status: 'running', agent: null, thread_id: 't2' }
  const found = (filter: object): readonly string[] =>
    filterRuns([run, other], { search: '', status: '', agent: '', thread: '', ...filter }).map(({ run_id }) => run_id)
  assert.equal(found({}), ['r1', 'R2'])
  assert.equal(found({ search: 'r2' }), ['R2'])
  assert.equal(found({ status: 'failed' }), ['r1'])
  assert.equal(found({ agent: 'planner' }), ['r1'])
  assert.equal(found({ thread: 't2' }), ['R2'])
})

test.run()
