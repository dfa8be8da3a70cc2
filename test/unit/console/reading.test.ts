/** What the console says of a datum, and the verdict over all of them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isNoAnswer, knowledgeOf, readAbout } from '../../../plugins/console/page/lib/reading.ts'
import { runTarget } from '../../../plugins/console/page/shell/target.ts'
import type { Facts } from '../../../plugins/console/page/views/overview/facts.ts'
import { conflictBegan, hasLessRoomSince } from '../../../plugins/console/page/views/overview/trends.ts'
import { findingsOf, unknownsOf, verdictOf } from '../../../plugins/console/page/views/overview/verdict.ts'
import {
  addressOfRun,
  eventCounts,
  filterRuns,
  lasted,
  listInWords,
  listPath,
  type Run,
  runsOfThread,
} from '../../../plugins/console/page/views/runs/run-record.ts'
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

test('a value belongs to what it was read about', () => {
  const read = { data: 'the keys of ann', error: undefined, atMs: 1, inputs: ['ann'] }
  assert.is(readAbout(['ann'], read).data, 'the keys of ann')
  const other = readAbout(['ben'], read)
  assert.equal(other, { data: undefined, error: undefined, atMs: undefined, inputs: ['ben'] })
  assert.is(knowledgeOf(other, false), 'loading')
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
  hasMoreFailedRuns: false,
  conflictsSinceMs: undefined,
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
  assert.equal(unknownsOf(healthy, new Map(), quiet), ['failed runs of other users'])
  assert.equal(unknownsOf({ ...healthy, peers: undefined, failedRuns: undefined }, undefined, undefined), [
    ...['peers', 'failed runs', 'conflicts', 'certificates', 'errors', 'refusals'],
  ])
})

test('each problem has since when, what it affects, and the next step', () => {
  const lastFailure = { code: 'unreachable', message: 'x', atMs: NOW - 9_000 } as const
  const peer = { endpointId: 'a'.repeat(64), label: 'lamp', transport: 'tls', addresses: [], lastSeenAtMs: null }
  const findings = findingsOf({
    checks: [{ ...check, values: [true, false], failsSinceMs: NOW - 2_000 }, check],
    facts: {
      status: { ...healthy.status!, outbox: { pending: 2, oldestAtMs: NOW - 61_000 } },
      peers: [{ ...peer, state: 'unreachable', lastFailure, failingSinceMs: NOW - 99_000, projects: {} }],
      store: { ...healthy.store!, logBytes: 1e9, disk: { freeBytes: 1e6, totalBytes: 1e9 } },
      failedRuns: [run, { ...run, ended_at_ms: NOW - 2 * 86_400_000 }],
      hasMoreFailedRuns: false,
      conflictsSinceMs: NOW - 7_000,
    },
    scrape: new Map([['svc_kbd_conflicts', [{ labels: { project: 'demo' }, value: 3 }]]]),
    day: { ...quiet, freeBytes: quiet.requests.map((_, index) => (index < 1_380 ? 1e9 : 1e6)) },
    nowMs: NOW,
  })
  assert.is(verdictOf(findings), '7 problems')
  assert.equal(
    findings.map(({ what, sinceMs }) => [what.slice(0, 18), sinceMs]),
    [
      ['The check “devices', NOW - 2_000],
      ['The disk of the st', NOW - 60 * 60_000],
      ['The log of the sto', undefined],
      ['The peer lamp is a', NOW - 99_000],
      ['2 deliveries in th', NOW - 61_000],
      ['3 conflicts of boa', NOW - 7_000],
      ['1 run of the conso', NOW - 5_000],
    ],
  )
  for (const { affects, next } of findings) assert.ok(affects !== '' && next !== '')
})

test('what several checks and measured values say of one cause is one problem, which names them all', () => {
  const failing = (name: string, surface: 'local' | 'runtime', failsSinceMs: number) => ({
    ...{ name, surface, required: name !== 'store_log', values: [true, false], failsSinceMs },
  })
  const log = [failing('store_log', 'local', NOW - 9_000), failing('store_log', 'runtime', NOW - 7_000)]
  const full = [failing('receipt_store', 'local', NOW - 5_000), failing('persistence', 'runtime', NOW - 6_000)]
  const parts = { scrape: new Map(), day: undefined, nowMs: NOW }
  const both = findingsOf({ ...parts, checks: [...log, ...full], facts: healthy })
  assert.equal(
    both.map(({ what, sinceMs }) => [what, sinceMs]),
    [
      ['The check “store log” of the runtime surface fails.', NOW - 9_000],
      ['The check “persistence” of the runtime surface fails.', NOW - 6_000],
    ],
  )
  assert.match(both[1]!.affects, /“receipt store” of the local surface fails.*local surface is not ready/)
  const store = { ...healthy.store!, logBytes: 1e9, disk: { freeBytes: 1e6, totalBytes: 1e9 } }
  const measured = findingsOf({ ...parts, checks: [...log, ...full], facts: { ...healthy, store } })
  assert.equal(
    measured.map(({ what }) => what.slice(0, 21)),
    ['The log of the store ', 'The disk of the store'],
  )
  assert.match(
    measured[1]!.affects,
    /refuses every write\. .*“receipt store” of the local .*“persistence” of the runtime/,
  )
  const other = findingsOf({ ...parts, checks: [failing('devices', 'local', NOW), ...full], facts: healthy })
  assert.is(other.length, 2, 'another check is another problem')
})

test('refusals that rise are a problem since their first minute; the usual number and a few are none', () => {
  const problems = (refusals: readonly number[]) =>
    findingsOf({ checks: [check], facts: healthy, scrape: new Map(), day: dayWith(refusals), nowMs: NOW })
  const usual = Array.from({ length: 60 }, () => 10)
  assert.equal(problems([...usual, 10, 12, 9, 10, 11, 0]), [])
  assert.equal(problems([0, 0, 0, 0, 5, 5, 5, 0]), [], '15 in five minutes')
  const [finding, ...others] = problems([...usual, 10, 11, 90, 80, 70, 0])
  assert.is(others.length, 0)
  assert.match(finding!.what, /refused: 52 a minute, 10\.0 in the hour before/)
  assert.is(finding!.sinceMs, NOW - 4 * 60_000)
})

test('what is not known is no rise, and a rise that goes on keeps its beginning', () => {
  const problems = (...values: readonly (number | null)[]) => {
    const day = dayWith([0])
    const refusals = [...day.refusals.slice(0, -values.length), ...values]
    return findingsOf({
      ...{ checks: [], facts: healthy, scrape: new Map(), nowMs: NOW },
      day: { ...day, refusals },
    })
  }
  const usual = Array.from({ length: 60 }, () => 1)
  assert.equal(problems(90, 90, 90, 90, 90, 0), [], 'the hour before is not known')
  assert.equal(problems(...usual, null, null, null, null, 19, 0), [], '19 in the only minute that is known')
  const high = Array.from({ length: 15 }, () => 90)
  const [finding] = problems(...usual, ...high, 0)
  assert.is(finding?.sinceMs, NOW - 16 * 60_000)
})

test('failed runs are those of one user, counted as far as they were read; the last one is the last that ended', () => {
  const failedRuns = [
    { ...run, run_id: 'created-last', ended_at_ms: NOW - 9_000 },
    { ...run, run_id: 'ended-last', ended_at_ms: NOW - 1_000 },
  ]
  const problems = (hasMoreFailedRuns: boolean) =>
    findingsOf({
      ...{ checks: [], scrape: new Map(), day: undefined, nowMs: NOW },
      facts: { ...healthy, failedRuns, hasMoreFailedRuns },
    }).map(({ what, sinceMs }) => [what, sinceMs])
  assert.equal(problems(false), [
    ["2 runs of the console's user failed in the last 24 hours; the last one is ended-last.", NOW - 9_000],
  ])
  assert.equal(problems(true), [
    ["At least 2 runs of the console's user failed in the last 24 hours, such as ended-last.", undefined],
  ])
})

test('a check fails since the first minute of its failure, also before the page was opened', () => {
  const values = Array.from({ length: 1_440 }, (_, index) => (index < 1_400 ? true : index < 1_439 ? false : null))
  const day = dayWith([0], [{ name: 'devices', surface: 'local', required: true, values }])
  const failing = { ...check, values: [false], failsSinceMs: NOW - 2_000 }
  const [finding] = findingsOf({ checks: [failing], facts: healthy, scrape: undefined, day, nowMs: NOW })
  assert.equal([finding?.sinceMs, finding?.isAtLeast], [NOW - 40 * 60_000, false])
  const seen = (before: readonly (boolean | undefined)[]) =>
    findingsOf({
      checks: [{ ...failing, values: [...before, false, false] }],
      ...{ facts: healthy, scrape: undefined, day: undefined, nowMs: NOW },
    })[0]?.isAtLeast
  assert.equal([seen([true]), seen([]), seen([true, undefined])], [false, true, true], 'the page saw its beginning')
})

test('a conflict began with its second value, and a disk is full since its last minute with room', () => {
  const candidates = [30, 10, 20].map((issuedAtMs) => ({ id: 'x', value: 1, deviceId: 'd', issuedAtMs }))
  assert.is(conflictBegan({ candidates }), 20)
  const day = (tail: readonly (number | null)[]): Day => ({
    ...quiet,
    freeBytes: [...Array.from({ length: 1_440 - tail.length }, () => null), ...tail],
  })
  assert.equal(hasLessRoomSince(day([1, 9, 1, 1, null]), 5), { sinceMs: NOW - 3 * 60_000, isAtLeast: false })
  const pastGap = hasLessRoomSince(day([1, null, 1, 1, 1]), 5)
  assert.equal(pastGap, { sinceMs: NOW - 3 * 60_000, isAtLeast: true }, 'not past a gap')
  assert.ok(hasLessRoomSince({ ...quiet, freeBytes: quiet.requests.map(() => 1) }, 5)?.isAtLeast, 'the whole day')
  assert.is(hasLessRoomSince(day([1, 9]), 5), undefined)
  assert.is(hasLessRoomSince(quiet, 5), undefined, 'a service that does not record it')
})

test('a certificate is a problem from two weeks before its end', () => {
  const problems = (endMs: number) =>
    findingsOf({
      ...{ checks: [], facts: healthy, day: quiet, nowMs: NOW },
      scrape: new Map([
        ['svc_tls_certificate_end_seconds', [{ labels: { surface: 'runtime' }, value: endMs / 1_000 }]],
      ]),
    }).map(({ what }) => what)
  const DAY_MS = 86_400_000
  assert.equal(problems(NOW + 15 * DAY_MS), [])
  assert.equal(problems(NOW + 13 * DAY_MS), ['The TLS certificate of the runtime surface ends in 13 d.'])
  assert.equal(problems(NOW - DAY_MS), ['The TLS certificate of the runtime surface ended 1 d ago.'])
})

test('a check with no answer in the last poll is no finding, because nothing is known of it', () => {
  const checks = [{ ...check, values: [false, undefined] }]
  assert.equal(findingsOf({ checks, facts: healthy, scrape: undefined, day: undefined, nowMs: NOW }), [])
})

test('events are counted that are there, and those that were removed', () => {
  assert.equal(eventCounts(run), { storedEvents: 44, removedEvents: 56 })
  assert.equal(eventCounts({ first_seq: 1, last_seq: 0 }), { storedEvents: 0, removedEvents: 0 })
  assert.equal(eventCounts({ first_seq: 5, last_seq: 4 }), { storedEvents: 0, removedEvents: 4 })
  assert.is(lasted(run, NOW), 'took 55 s')
  assert.is(lasted({ ...run, ended_at_ms: null }, NOW), 'for 1 min')
  assert.is(lasted({ ...run, ended_at_ms: null }, undefined), undefined)
})

test('a run of another user keeps its user in its address, and is one target of the palette', () => {
  const [ann, bob] = ['ann', 'bob'].map((user_id) => ({ ...run, owner: { user_id } }))
  assert.is(addressOfRun(ann!, ''), '/runs/r1')
  assert.is(addressOfRun(ann!, 'ann'), '/runs/r1?user=ann')
  assert.is(addressOfRun(ann!, '*'), '/runs/r1?user=*&of=ann')
  const targets = [runTarget(ann!, '*'), runTarget(bob!, '*')]
  assert.equal(
    targets.map((target) => [target.key, target.detail, 'to' in target && target.to]),
    [
      ['r1 ann', 'failed, thread t1, by ann', '/runs/r1?user=*&of=ann'],
      ['r1 bob', 'failed, thread t1, by bob', '/runs/r1?user=*&of=bob'],
    ],
  )
  assert.equal(runsOfThread([ann!, bob!, { ...ann!, thread_id: 't2' }], ann!), [ann])
})

test('the runs of all users are asked for in the largest page, chosen by the service, and a cut list says it', () => {
  assert.is(listPath('', { status: 'failed', thread: 't1' }), '/api/svc/runs?removed=true')
  assert.is(
    listPath('*', { status: 'failed', thread: 't1' }),
    '/api/svc/runs?removed=true&limit=200&status=failed&thread_id=t1',
  )
  assert.is(listPath('*', { status: 'toString', thread: '' }), '/api/svc/runs?removed=true&limit=200')
  assert.is(listInWords({ runs: [run], next: null }, 'all users', false), '1, by all users')
  assert.is(listInWords({ runs: [run, run], next: 'x' }, 'all users', false), 'the newest 2, by all users')
  assert.is(listInWords({ runs: [], next: null }, 'all users', true), '0 that match, by all users')
})

test('runs are filtered by id, status, agent and thread', () => {
  const other: Run = { ...run, run_id: 'R2', status: 'running', agent: null, thread_id: 't2' }
  const idsOf = (filter: object): readonly string[] =>
    filterRuns([run, other], { search: '', status: '', agent: '', thread: '', ...filter }).map(({ run_id }) => run_id)
  assert.equal(idsOf({}), ['r1', 'R2'])
  assert.equal(idsOf({ search: 'r2' }), ['R2'])
  assert.equal(idsOf({ status: 'failed' }), ['r1'])
  assert.equal(idsOf({ agent: 'planner' }), ['r1'])
  assert.equal(idsOf({ thread: 't2' }), ['R2'])
})

test.run()
