/** The recorder of the history over a store on disk, with a clock that a test sets. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFileStore, type FileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { checkStore } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { type Day, toDay } from '../../../plugins/telemetry/history/day.ts'
import { createMinute, type Minute, minuteOf } from '../../../plugins/telemetry/history/minute.ts'
import { createRecorder, type Recorder } from '../../../plugins/telemetry/history/recorder.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { storeParts } from '../../support/store-parts.ts'

const test = suite('telemetry: history')
const MINUTE_MS = 60_000
const START_MS = Date.UTC(2030, 0, 1, 12)
const folders: string[] = []

test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A clock whose date can be set, while its timers go on. */
class SetClock extends HeldClock {
  aheadMs = 0
  readonly #held = this.now
  override readonly now = (): number => this.#held() + this.aheadMs
}

interface Rig {
  readonly path: string
  readonly clock: SetClock
  readonly warnings: string[]
  /** What the checks say. */
  checks: Minute['checks']
  /** Whether writes are refused. */
  isFull: boolean
  store: FileStore
  recorder: Recorder
  /** Starts another process on the same store. One that was not stopped before is killed: nothing of it runs any more. */
  restart(): void
  /** Lets minutes pass. Each of them has a request. */
  pass(minutes: number): Promise<void>
}

function createRig(): Rig {
  const folder = mkdtempSync(join(tmpdir(), 'svc-history-'))
  folders.push(folder)
  const path = join(folder, 'sync.db')
  const clock = new SetClock(START_MS)
  const open = (): FileStore => createFileStore({ path, now: () => performance.now(), parts: storeParts })
  let process = {}
  const record = (): Recorder => {
    const own = (process = {})
    const recorder = createRecorder({
      clock: {
        ...{ now: clock.now, monotonic: clock.monotonic, clearTimeout: clock.clearTimeout },
        setTimeout: (run, delayMs) => clock.setTimeout(() => process === own && run(), delayMs),
      },
      log: { warn: (message) => void rig.warnings.push(message), info: () => undefined },
      store: {
        read: (work) => rig.store.read(work),
        write: (work) => (rig.isFull ? Promise.reject(new Error('full')) : rig.store.write(work)),
      },
      checks: async () => rig.checks,
      streams: () => 3,
    })
    recorder.start()
    return recorder
  }
  const rig = { path, clock, warnings: [] as string[], checks: { 'runtime persistence': 3 }, isFull: false } as Rig
  rig.store = open()
  rig.recorder = record()
  rig.restart = () => void (rig.recorder = record())
  rig.pass = async (minutes) => {
    for (let passed = 0; passed < minutes; passed++) {
      // The store answers in its own time.
      for (let step = 0; step < 4; step++) {
        if (step === 1) rig.recorder.count(200, 5)
        await clock.advance(MINUTE_MS / 4)
        await rig.store.read(() => undefined)
        await settle()
      }
    }
  }
  return rig
}

/** The known values of a list, by the number of minutes from the end. */
const known = (values: readonly (number | boolean | null)[]): Readonly<Record<number, number | boolean>> =>
  Object.fromEntries(
    values.flatMap((value, index) => (value === null ? [] : [[values.length - 1 - index, value]])) as [
      number,
      number,
    ][],
  )

const end = async ({ recorder, store }: Rig): Promise<void> => {
  await recorder.stop()
  await store.close()
}

test('each minute has its requests, errors, refusals, times and streams, and what its checks said', async () => {
  const rig = createRig()
  await settle()
  for (const status of [200, 404, 401, 429, 500]) rig.recorder.count(status, status)
  await rig.pass(1)
  rig.checks = { 'runtime persistence': 2 }
  await rig.pass(2)
  rig.checks = { 'runtime persistence': 3 }
  const day = await rig.recorder.day()
  assert.is(day.fromMs, START_MS + 3 * MINUTE_MS - 1_439 * MINUTE_MS)
  assert.equal(known(day.requests), { 3: 6, 2: 1, 1: 1, 0: 0 })
  assert.equal(known(day.errors), { 3: 1, 2: 0, 1: 0, 0: 0 })
  assert.equal(known(day.refusals), { 3: 2, 2: 0, 1: 0, 0: 0 })
  assert.equal(known(day.streams), { 3: 3, 2: 3, 1: 3, 0: 3 })
  assert.equal(known(day.starts), { 3: 1, 2: 0, 1: 0, 0: 0 })
  const p95 = day.p95Ms.at(-4)!
  assert.ok(p95 >= 500 && p95 <= 550, String(p95))
  assert.is(day.p95Ms.at(-1), null, 'no request, no time')
  const [check] = day.checks
  assert.equal([check?.name, check?.surface, check?.required], ['persistence', 'runtime', true])
  assert.equal([check?.values.at(-4), check?.values.at(-3), check?.values.at(-2)], [true, false, false])
  await end(rig)
})

test('a check that fails once in a minute fails in it', () => {
  const minute = createMinute(1)
  for (const bits of [3, 2, 3]) minute.observe({ 'local devices': bits }, 0)
  assert.equal(minute.read().checks, { 'local devices': 2 })
})

test('after a kill nothing is lost but the running minute, whose start is known; the time between is a gap', async () => {
  const rig = createRig()
  await rig.pass(3)
  rig.recorder.count(200, 1)
  rig.clock.aheadMs = 5 * MINUTE_MS
  rig.restart()
  await rig.pass(1)
  const { requests, starts } = await rig.recorder.day()
  assert.equal([requests.at(-2), starts.at(-2)], [1, 1])
  assert.equal(known(requests.slice(0, -3)), { 6: 1, 5: 1, 4: 1 }, 'the minutes before the kill, then a gap')
  await end(rig)
})

test('a restart within a minute goes on with it', async () => {
  const rig = createRig()
  await settle()
  rig.recorder.count(500, 700)
  await rig.recorder.stop()
  rig.restart()
  await rig.pass(1)
  const day = await rig.recorder.day()
  assert.equal([day.requests.at(-2), day.errors.at(-2), day.starts.at(-2)], [2, 1, 2])
  await end(rig)
})

test('a clock that is set back leaves what was before, and no minute of the future', async () => {
  const rig = createRig()
  await rig.pass(5)
  rig.clock.aheadMs = -3 * MINUTE_MS
  await rig.pass(2)
  const [present, { requests }] = [minuteOf(rig.clock.now()), await rig.recorder.day()]
  // Minutes 0 and 1 are of before, minute 2 is new, and minute 3 too; minute 4 is running.
  assert.equal(known(requests), { 4: 1, 3: 1, 2: 1, 1: 1, 0: 0 })
  const rows = new DatabaseSync(rig.path, { readOnly: true })
  const [{ last }] = rows.prepare('SELECT max(minute) AS last FROM history_minutes').all() as [{ last: number }]
  rows.close()
  assert.ok(last <= present, `${last} ${present}`)
  await end(rig)
})

test('a clock that is set back by seconds over the beginning of a minute does not replace that minute', async () => {
  const rig = createRig()
  await rig.pass(1)
  await rig.clock.advance(1_000)
  rig.clock.aheadMs = -2_000
  rig.recorder.count(200, 1)
  await rig.pass(1)
  const { requests } = await rig.recorder.day()
  assert.equal(
    requests.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    3,
    'no request is lost',
  )
  await end(rig)
})

test('a clock that is a year ahead for a while removes nothing', async () => {
  const rig = createRig()
  await rig.pass(3)
  rig.clock.aheadMs = 365 * 1_440 * MINUTE_MS
  await rig.pass(3)
  const ahead = await rig.recorder.day()
  assert.equal(known(ahead.requests), { 3: 1, 2: 1, 1: 1, 0: 0 })
  rig.clock.aheadMs = 0
  await rig.pass(2)
  const back = await rig.recorder.day()
  assert.equal(known(back.requests.slice(0, -3)), { 5: 1, 4: 1, 3: 1, 2: 0 }, 'the first minutes are there again')
  await end(rig)
})

test('a store that cannot be written costs the minutes of that time, with one warning', async () => {
  const rig = createRig()
  await rig.pass(1)
  rig.isFull = true
  await rig.pass(3)
  rig.isFull = false
  await rig.pass(2)
  const { requests } = await rig.recorder.day()
  // The minute that ended when there was room again is the first one that was written.
  assert.equal(known(requests), { 6: 1, 2: 1, 1: 1, 0: 0 })
  assert.is(rig.warnings.length, 1, rig.warnings.join())
  await end(rig)
})

test('at most two days are kept, in the order of writing', async () => {
  const rig = createRig()
  await rig.pass(1)
  const last = minuteOf(START_MS)
  const { putMinute } = await import('../../../plugins/telemetry/history/statements.ts')
  await rig.store.write((ledger) => {
    for (let minute = last - 4_000; minute < last; minute++) putMinute(ledger, createMinute(minute).read())
  })
  const rows = new DatabaseSync(rig.path, { readOnly: true })
  const [{ count }] = rows.prepare('SELECT count(*) AS count FROM history_minutes').all() as [{ count: number }]
  rows.close()
  assert.ok(count <= 2_880, String(count))
  await end(rig)
})

test('a damaged minute is a gap, and svc store check names it', async () => {
  const rig = createRig()
  await rig.pass(3)
  const minute = minuteOf(START_MS) + 1
  const rows = new DatabaseSync(rig.path)
  rows
    .prepare(`UPDATE history_minutes SET body = replace(body, '"requests":1', '"requests":7') WHERE minute = ?`)
    .run(minute)
  rows.close()
  assert.equal(known((await rig.recorder.day()).requests), { 3: 1, 1: 1, 0: 0 })
  await end(rig)
  const found = checkStore(rig.path, storeParts)
  assert.match(JSON.stringify(found), `minute ${minute} of the history`)
})

test('the largest answer is smaller than 1 MiB', () => {
  const checks = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`runtime ${String(index).padStart(90, 'x')}`, 2]),
  )
  const large = { requests: 4e9, errors: 4e9, refusals: 4e9, p95Ms: 66_012.345, streams: 4e9, starts: 4e9 }
  const minutes = Array.from({ length: 1_440 }, (_, minute): Minute => ({ ...large, minute, checks }))
  const day: Day = toDay(minutes, 1_439)
  const size = Buffer.byteLength(JSON.stringify(day))
  assert.ok(size < 1_048_576, `${size} bytes`)
  assert.is(day.checks.length, 32)
})

test.run()
