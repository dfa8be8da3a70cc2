/**
 * Runs in the SQLite store give the same answers as runs in memory, also after restarts. Damaged runs are not shown as
 * whole.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writePrelude } from '../../../plugins/realtime/runs/agui-spec/prelude-cache.ts'
import type { RunRecord } from '../../../plugins/realtime/runs/api.ts'
import { RunManager, type RunManagerOptions } from '../../../plugins/realtime/runs/manager.ts'
import { join as joinRun } from '../../../plugins/realtime/runs/position.ts'
import type { Run } from '../../../plugins/realtime/runs/run.ts'
import { readAppends } from '../../../plugins/realtime/runs-sqlite/statements.ts'
import { checkStore, storeInfo } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { folderWith } from '../../support/folder.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { execOn } from '../../support/sqlite.ts'
import { storeParts } from '../../support/store-parts.ts'
import { codeOf } from '../../support/throws.ts'
import {
  finished,
  framesOf,
  ORPHAN_AFTER,
  openSqliteRuns,
  owner,
  runOptions,
  type SqliteRuns,
  said,
  started,
} from './stored-runs.ts'

const test = suite('realtime: runs in SQLite')
const services: SqliteRuns[] = []

const newPath = (): string => join(folderWith(), 'sync.db')

test.after.each(async () => {
  for (const service of services.splice(0)) await service.stop()
})

async function start(
  path: string,
  clock = new HeldClock(),
  options: Partial<RunManagerOptions> = {},
): Promise<SqliteRuns> {
  const service = await openSqliteRuns(path, clock, options)
  services.push(service)
  return service
}

async function framesIn({ runs }: SqliteRuns, run_id: string): Promise<string[]> {
  return framesOf((await runs.find(owner, run_id, true))!)
}

/** A store with an append that a version wrote which kept no times and no agents. */
const oldAppend = {
  rows: () => [[1, 'r', 0, '{"id":"x","record":{"run_id":"\\"atMs\\":1"},"bytes":0,"gone":false}', '{}', 0]] as never,
  sums: { check: () => undefined },
}

test('ended runs are kept for a week by default, and their age counts from their end over a restart', async () => {
  const path = newPath()
  const clock = new HeldClock()
  const first = await start(path, clock)
  assert.equal(first.store.retention, { finishedRunTtlMs: 604_800_000, maxFinishedRuns: 10_000 })
  await first.runs.create(owner, { run_id: 'r', thread_id: 't' })
  await first.runs.append(owner, 'r', [started, finished])
  await first.stop()
  await clock.advance(50_000)
  const ttl = { finishedRunTtlMs: 60_000 }
  const second = await start(path, clock, ttl)
  assert.ok(await second.runs.get(owner, 'r'))
  for (let round = 0; round < 4; round++) await clock.advance(5_000)
  assert.is(await second.runs.get(owner, 'r'), undefined)
  await second.stop()
  assert.is(storeInfo(path, storeParts).counts['runs'], 0)
  assert.equal(await (await start(path, clock, ttl)).runs.list(owner), [])
})

test('a clock that was set back before a start removes no run early', async () => {
  const path = newPath()
  const first = await start(path)
  await first.runs.create(owner, { run_id: 'r', thread_id: 't' })
  await first.runs.append(owner, 'r', [started, finished])
  await first.stop()
  const clock = new HeldClock(Date.UTC(2029, 11, 31))
  const second = await start(path, clock, { finishedRunTtlMs: 60_000 })
  for (let round = 0; round < 5; round++) await clock.advance(10_000)
  assert.ok(await second.runs.get(owner, 'r'))
})

test('a run keeps its events, epoch and order after a restart', async () => {
  const path = newPath()
  const first = await start(path)
  const made = await first.runs.create(owner, { run_id: 'r' })
  await first.runs.append(owner, 'r', [started, said('a')])
  const before = await first.runs.append(owner, 'r', [said('b', 'ä💥\u0000\ud800')])
  await first.runs.create(owner, { run_id: 'other' })
  const frames = await framesIn(first, 'r')
  await first.stop()

  const second = await start(path)
  assert.equal(await second.runs.get(owner, 'r'), before)
  assert.is(before.epoch, made.epoch)
  assert.equal(await framesIn(second, 'r'), frames)
  assert.equal((await second.runs.list(owner)).map(({ run_id }) => run_id).sort(), ['other', 'r'])
  assert.is(await second.runs.get({ user_id: 'bob', tenant_id: 'acme' }, 'r'), undefined)
  assert.is(await codeOf(() => second.runs.create(owner, { run_id: 'r' })), 'run_exists')
  assert.is(await codeOf(() => second.runs.append(owner, 'r', [started])), 'run_event_order')
  const match = `"${before.epoch}-3"`
  const after = await second.runs.append(owner, 'r', [finished], match)
  assert.equal([after.last_seq, after.status], [4, 'finished'])
  assert.equal(await second.runs.append(owner, 'r', [finished], match), after, 'a repetition is the same append')
})

test('agui_spec: after a restart a reader gets the same state and messages as from memory, with and without a cursor', async () => {
  const path = newPath()
  const clock = new HeldClock()
  const memory = new RunManager(runOptions(clock))
  const first = await start(path, clock)
  memory.create(owner, { run_id: 'r', thread_id: 't' })
  await first.runs.create(owner, { run_id: 'r', thread_id: 't' })
  const batches = [
    [started, { type: 'STATE_SNAPSHOT', snapshot: { step: 1, list: ['a'] } }],
    [
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'written ' },
    ],
    [{ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/step', value: 2 }] }],
  ]
  const last = [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'before and after' }]
  for (const events of batches) {
    memory.append(owner, 'r', events)
    await first.runs.append(owner, 'r', events)
  }
  await first.stop()
  const second = await start(path, clock)
  memory.append(owner, 'r', last)
  await second.runs.append(owner, 'r', last)

  /** The events that a reader gets before those after its position, and the position. */
  const joined = async (run: Run, sequence: number | null): Promise<string> => {
    const { after, lost } = joinRun(run, sequence === null ? null : run.id(sequence), true)
    const parts: Uint8Array[] = []
    const gap = lost?.gap ?? null
    writePrelude(await run.preludes.at(after), String(after), gap, (bytes) => void parts.push(bytes))
    return Buffer.concat(parts).toString()
  }
  const stored = (await second.runs.find(owner, 'r', true))!
  const kept = memory.find(owner, 'r')!
  for (const sequence of [null, 0, 1, 2, 3, 4, 5, 6])
    assert.is(await joined(stored, sequence), await joined(kept, sequence), `after ${sequence}`)
  const present = await joined(stored, null)
  for (const part of ['"step":2', 'written before and after']) assert.ok(present.includes(part), present)
})

/** Lets what a timer began run out: it writes, and a write ends in a later turn of the event loop. */
async function pass(clock: HeldClock, ms: number): Promise<void> {
  await clock.advance(ms)
  for (let turn = 0; turn < 10; turn++) await clock.advance(0)
}

/** Runs are looked after at multiples of this. */
const PERIOD = 10_000

test('what memory retains and refuses, the store does too, over restarts or as time passes', async () => {
  const small = {
    runMaxEvents: 8,
    runMaxBytes: 2_048,
    maxFinishedRuns: 2,
    finishedRunTtlMs: 4 * PERIOD,
    runIdleMs: 8 * PERIOD,
    maxRunningRunsPerIdentity: 4,
  }
  const run = fc.nat(3)
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ run, names: fc.array(fc.string(), { maxLength: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ run, end: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ run, begin: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ periods: fc.integer({ min: 1, max: 5 }) }) },
  )
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 1, maxLength: 40 }), async (restarts, steps) => {
      const path = newPath()
      const clock = new HeldClock()
      const memory = new RunManager(runOptions(clock, small))
      let service = await start(path, clock, small)
      const same = async (inMemory: () => unknown, inStore: () => Promise<unknown>): Promise<void> =>
        assert.is(await codeOf(inStore), await codeOf(inMemory))
      const begin = async (run_id: string): Promise<void> => {
        const ids = { run_id, thread_id: 't' }
        await same(
          () => memory.create(owner, ids),
          () => service.runs.create(owner, ids),
        )
      }
      const append = (run_id: string, events: readonly object[]): Promise<void> =>
        same(
          () => memory.append(owner, run_id, events),
          () => service.runs.append(owner, run_id, events),
        )
      for (const run_id of ['0', '1', '2', '3']) {
        await begin(run_id)
        await append(run_id, [started])
      }
      for (const one of steps) {
        if ('periods' in one && restarts) {
          await service.stop()
          service = await start(path, clock, small)
        } else if ('periods' in one) for (let n = 0; n < one.periods; n++) await pass(clock, PERIOD)
        else if ('begin' in one) await begin(String(one.run))
        else await append(String(one.run), 'end' in one ? [finished] : one.names.map((name) => said(name)))
        await pass(clock, 0)
        // The epoch is the process's in memory, and the run's in the store.
        const shown = (records: readonly RunRecord[]): object[] =>
          records.map(({ epoch: _, ...record }) => record).sort((one, other) => one.run_id.localeCompare(other.run_id))
        assert.equal(shown(await service.runs.list(owner)), shown(memory.list(owner)))
      }
      for (const run_id of ['0', '1', '2', '3']) {
        const expected = memory.find(owner, run_id)
        if (expected === undefined) seen.add(restarts ? 'over a restart' : 'as time passed')
        else if (expected.record.status === 'failed') seen.add('abandoned')
        if (expected !== undefined) {
          const withoutIds = (frames: string[]): string[] => frames.map((frame) => frame.slice(frame.indexOf('\n')))
          assert.equal(withoutIds(await framesIn(service, run_id)), withoutIds(framesOf(expected)))
        }
      }
      memory.close()
      await service.stop()
      assert.equal(checkStore(path, storeParts).damaged, [])
    }),
    {
      numRuns: 25,
      examples: [
        [true, [...[0, 1, 2].map((run) => ({ run, end: true as const })), { periods: 1 }]],
        [false, [{ run: 0, end: true as const }, { periods: 5 }]],
        [false, [{ periods: 5 }, { periods: 4 }]],
        // An append without events is no event.
        [false, [{ periods: 3 }, { run: 0, names: [] }, { periods: 5 }]],
      ],
    },
  )
  assert.equal([...seen].sort(), ['abandoned', 'as time passed', 'over a restart'])
})

test('the share of an owner counts what was there before the start', async () => {
  const small = { runsMaxBytes: 100_000, runsIdentityShare: 0.42, runsTenantShare: 1 }
  const path = newPath()
  const clock = new HeldClock()
  const names = Array.from({ length: 8 }, (_, at) => `r${at}`)
  const memory = new RunManager(runOptions(clock, small))
  const inMemory: string[] = []
  for (const run_id of names) inMemory.push(await codeOf(() => memory.create(owner, { run_id })))
  memory.close()
  assert.equal([inMemory[0], inMemory.at(-1)], ['taken', 'rate_limited'])
  const first = await start(path, clock, small)
  for (const [at, run_id] of names.entries())
    assert.is(await codeOf(() => first.runs.create(owner, { run_id })), inMemory[at])
  await first.stop()
  const second = await start(path, clock, small)
  assert.is(await codeOf(() => second.runs.create(owner, { run_id: 'one-more' })), 'rate_limited')
  assert.is(await codeOf(() => second.runs.create({ ...owner, user_id: 'bob' }, { run_id: 'his' })), 'taken')
})

test('a run that was running at the restart is ended after orphan_after_ms without an event, and not before', async () => {
  const path = newPath()
  const first = await start(path)
  for (const run_id of ['silent', 'alive', 'empty']) await first.runs.create(owner, { run_id })
  for (const run_id of ['silent', 'alive']) await first.runs.append(owner, run_id, [started])
  await first.stop()
  const clock = new HeldClock()
  const second = await start(path, clock)
  await second.runs.create(owner, { run_id: 'new' })
  await second.runs.append(owner, 'alive', [said('still here')])
  await clock.advance(ORPHAN_AFTER - 1_000)
  const statuses = async (): Promise<object> =>
    Object.fromEntries((await second.runs.list(owner)).map(({ run_id, status }) => [run_id, status]))
  assert.equal(await statuses(), { silent: 'running', alive: 'running', empty: 'running', new: 'running' })
  for (let round = 0; round < 4; round++) await clock.advance(10_000)
  assert.equal(await statuses(), { silent: 'failed', alive: 'running', empty: 'failed', new: 'running' })
  assert.match((await framesIn(second, 'silent')).at(-1)!, /"type":"RUN_ERROR".*"code":"svc\.run\.orphaned"/)
})

test('each event keeps the time at which it came, over restarts; events of an older version have none', async () => {
  const path = newPath()
  const clock = new HeldClock()
  const first = await start(path, clock)
  await first.runs.create(owner, { run_id: 'r' })
  const begin = clock.now()
  await first.runs.append(owner, 'r', [started])
  for (let n = 1; n <= 200; n++) {
    await clock.advance(10)
    await first.runs.append(owner, 'r', [said(`${n}`), said(`${n} too`)])
  }
  const expected = [begin, ...Array.from({ length: 400 }, (_, at) => begin + 10 * (1 + Math.floor(at / 2)))]
  const timesIn = async ({ runs }: SqliteRuns): Promise<unknown[]> => {
    const { ring } = (await runs.find(owner, 'r', false))!.feed
    return Array.from({ length: ring.size }, (_, at) => ring.at(ring.base + at)!.atMs)
  }
  assert.equal(await timesIn(first), expected)
  await first.stop()
  const second = await start(path, clock)
  assert.equal(await timesIn(second), expected)
  await second.stop()
  const { atMs, head } = readAppends(oldAppend, 'r', 0, 1)[0]!
  assert.equal([atMs, head().atMs, head().record.agent], [undefined, undefined, null])
})

test('a long run is read whole while more is appended to it', async () => {
  const path = newPath()
  const first = await start(path)
  await first.runs.create(owner, { run_id: 'r' })
  await first.runs.append(owner, 'r', [started])
  for (let n = 0; n < 300; n++) await first.runs.append(owner, 'r', [said(`${n}`)])
  await first.stop()
  const second = await start(path)
  const reading = framesIn(second, 'r')
  const appending = Promise.all(
    Array.from({ length: 50 }, (_, n) => second.runs.append(owner, 'r', [said(`new ${n}`)])),
  )
  await reading
  await appending
  const frames = await framesIn(second, 'r')
  assert.is(frames.length, 351)
  assert.equal(
    frames.map((frame) => Number(/-(\d+)\n/.exec(frame)![1])),
    frames.map((_, at) => at + 1),
  )
})

test('two processes on one store see the appends of each other, and an append that lost a race is checked again', async () => {
  const path = newPath()
  const one = await start(path)
  const other = await start(path)
  await one.runs.create(owner, { run_id: 'r' })
  assert.is(await codeOf(() => other.runs.create(owner, { run_id: 'r' })), 'run_exists')
  await one.runs.append(owner, 'r', [started])
  assert.is((await other.runs.append(owner, 'r', [said('other')])).last_seq, 2)
  assert.is((await one.runs.append(owner, 'r', [said('one')])).last_seq, 3)
  assert.equal(await framesIn(one, 'r'), await framesIn(other, 'r'))
  await other.runs.append(owner, 'r', [finished])
  assert.is(await codeOf(() => one.runs.append(owner, 'r', [said('late')])), 'run_event_order')
})

test('an append on disk is answered, even if an earlier append of another process cannot be read', async () => {
  const path = newPath()
  const one = await start(path)
  const other = await start(path)
  for (const [service, run_id] of [
    [one, 'mine'],
    [other, 'theirs'],
  ] as const) {
    await service.runs.create(owner, { run_id })
    await service.runs.append(owner, run_id, [started])
  }
  await one.runs.list(owner)
  await other.runs.append(owner, 'theirs', [said('a')])
  execOn(path, `UPDATE run_appends SET events = 'x' WHERE position = (SELECT max(position) FROM run_appends)`)
  assert.is((await one.runs.append(owner, 'mine', [said('b')])).last_seq, 2)
  assert.ok(one.errors.length > 0)
  assert.is((await framesIn(await start(path), 'mine')).length, 2)
})

test('a removed run leaves a mark, later nothing, and its name is free again', async () => {
  const path = newPath()
  const clock = new HeldClock()
  const service = await start(path, clock, { finishedRunTtlMs: 60_000 })
  await service.runs.create(owner, { run_id: 'r' })
  await service.runs.append(owner, 'r', [started, finished])
  for (let round = 0; round < 8; round++) await clock.advance(10_000)
  assert.equal(await service.runs.list(owner), [])
  assert.is(storeInfo(path, storeParts).counts['runs'], 0)
  for (let round = 0; round < 8; round++) await clock.advance(10_000)
  const rows = (): unknown =>
    new DatabaseSync(path, { readOnly: true }).prepare('SELECT count(*) AS n FROM run_appends').get()
  assert.equal({ ...(rows() as object) }, { n: 0 })
  await service.runs.create(owner, { run_id: 'r' })
  assert.is((await service.runs.append(owner, 'r', [started])).last_seq, 1)
})

test('an erased run has no events in the store any more, and does not come back with a restart', async () => {
  const path = newPath()
  let service = await start(path)
  await service.runs.create(owner, { run_id: 'r' })
  await service.runs.append(owner, 'r', [started, said('a secret')])
  await service.runs.create({ ...owner, user_id: 'bob' }, { run_id: 'r' })
  assert.is(await service.runs.erase(owner), 1)
  const rows = new DatabaseSync(path, { readOnly: true }).prepare('SELECT events FROM run_appends').all()
  assert.not.match(JSON.stringify(rows), /a secret/)
  await service.stop()
  service = await start(path)
  assert.equal(await service.runs.list(owner), [])
  assert.is((await service.runs.list({ ...owner, user_id: 'bob' })).length, 1)
})

test('a damaged row is reported; its run is not shown as whole, and other runs continue', async () => {
  const path = newPath()
  const first = await start(path)
  for (const run_id of ['middle', 'newest', 'gone', 'whole']) {
    await first.runs.create(owner, { run_id })
    await first.runs.append(owner, run_id, [started])
    await first.runs.append(owner, run_id, [said('a')])
    await first.runs.append(owner, run_id, [said('b')])
  }
  await first.stop()
  const database = new DatabaseSync(path)
  const at = (run: string, seq: number): string =>
    `run LIKE '%"${run}"]' AND json_extract(head, '$.record.last_seq') = ${seq}`
  database.exec(`UPDATE run_appends SET events = replace(events, '"a"', '"x"') WHERE ${at('middle', 2)};
    UPDATE run_appends SET events = replace(events, '"b"', '"x"') WHERE ${at('newest', 3)};
    DELETE FROM run_appends WHERE ${at('gone', 2)}`)
  database.close()
  const { damaged } = checkStore(path, storeParts)
  assert.equal(damaged, [
    'run ["acme","ann","gone"]: events are missing',
    'run ["acme","ann","middle"]',
    'run ["acme","ann","newest"]',
  ])
  const second = await start(path)
  assert.equal(second.damaged, ['["acme","ann","newest"]'])
  assert.is(await second.runs.get(owner, 'newest'), undefined)
  assert.is(await codeOf(() => second.runs.create(owner, { run_id: 'newest' })), 'run_exists')
  for (const run_id of ['middle', 'gone']) {
    assert.is(await codeOf(() => second.runs.find(owner, run_id, false)), 'overloaded', run_id)
    assert.is(await codeOf(() => second.runs.append(owner, run_id, [said('c')])), 'overloaded', run_id)
  }
  assert.is((await second.runs.append(owner, 'whole', [said('c')])).last_seq, 4)
})

test('a store that cannot be written refuses appends and loses no acknowledged append', async () => {
  const path = newPath()
  const first = await start(path)
  await first.runs.create(owner, { run_id: 'r' })
  await first.runs.append(owner, 'r', [started])
  const blocker = new DatabaseSync(path)
  blocker.exec('BEGIN IMMEDIATE')
  assert.is(await codeOf(() => first.runs.append(owner, 'r', [said('refused')])), 'overloaded')
  assert.ok(first.errors.length > 0)
  blocker.exec('ROLLBACK')
  blocker.close()
  assert.is((await first.runs.append(owner, 'r', [said('taken')])).last_seq, 2)
  const frames = await framesIn(first, 'r')
  await first.stop()
  assert.equal(await framesIn(await start(path), 'r'), frames)
})

test.run()
