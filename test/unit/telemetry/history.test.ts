/** The recorder of the history over a store on disk, with a clock that a test sets. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFileStore, type FileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { checkStore } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import type { Day } from '../../../plugins/telemetry/api.ts'
import { toDay } from '../../../plugins/telemetry/history/day.ts'
import { createMinute, type Minute, minuteOf } from '../../../plugins/telemetry/history/minute.ts'
import { createRecorder, type Recorder } from '../../../plugins/telemetry/history/recorder.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { storeParts } from '../../support/store-parts.ts'

const test = suite('telemetry: history')
const MINUTE_MS = 60_000
const START_MS = Date.UTC(2030, 0, 1, 12)
const folders: string[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-history-'))
  folders.push(folder)
  return folder
}

test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A recorder over a store on disk, with a clock whose date can be set while its timers go on. */
class Rig {
  readonly path = join(newFolder(), 'sync.db')
  readonly store: FileStore = createFileStore({ path: this.path, now: () => performance.now(), parts: storeParts })
  readonly held = new HeldClock(START_MS)
  readonly warnings: string[] = []
  /** How far the date is ahead of the time that has passed. */
  aheadMs = 0
  /** What the checks say. */
  checks: Minute['checks'] = { 'runtime persistence': 3 }
  /** The room on the disk. */
  freeBytes: number | null = 9e9
  /** Whether writes are refused. */
  isFull = false
  #process = {}
  recorder: Recorder = this.#start()

  now(): number {
    return this.held.now() + this.aheadMs
  }

  /**
   * Starts another process on the same store. One that was not stopped before is killed: nothing of it runs any more.
   */
  restart(): void {
    this.recorder = this.#start()
  }

  /** Lets minutes pass. Each of them has a request. */
  async pass(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed++) {
      for (let step = 0; step < 4; step++) {
        if (step === 1) this.recorder.count(200, 5)
        await this.held.advance(MINUTE_MS / 4)
        // The store answers in its own time.
        await this.store.read(() => undefined)
        await settle()
      }
    }
  }

  async end(): Promise<void> {
    await this.recorder.stop()
    await this.store.close()
  }

  #start(): Recorder {
    const own = {}
    this.#process = own
    const recorder = createRecorder({
      clock: {
        ...{ now: () => this.now(), monotonic: this.held.monotonic, clearTimeout: this.held.clearTimeout },
        setTimeout: (run, delayMs) => this.held.setTimeout(() => this.#process === own && run(), delayMs),
      },
      log: { warn: (message) => void this.warnings.push(message), info: () => undefined },
      store: {
        read: (work) => this.store.read(work),
        write: (work) => (this.isFull ? Promise.reject(new Error('full')) : this.store.write(work)),
      },
      checks: async () => this.checks,
      streams: () => 3,
      freeBytes: () => this.freeBytes,
    })
    recorder.start()
    return recorder
  }
}

/** The known values of a list, by the number of minutes from the end. */
const known = (values: readonly (number | boolean | null)[]): Readonly<Record<number, number | boolean>> =>
  Object.fromEntries(
    values.flatMap((value, index) => (value === null ? [] : [[values.length - 1 - index, value]])) as [
      number,
      number,
    ][],
  )

test('each minute has its requests, errors, refusals, times and streams, and what its checks said', async () => {
  const rig = new Rig()
  await settle()
  for (const status of [200, 404, 401, 429, 500]) rig.recorder.count(status, status)
  await rig.pass(1)
  rig.checks = { 'runtime persistence': 2 }
  rig.freeBytes = 4e9
  await rig.pass(1)
  rig.freeBytes = null
  await rig.pass(1)
  rig.checks = { 'runtime persistence': 3 }
  const day = await rig.recorder.day()
  assert.is(day.fromMs, START_MS + 3 * MINUTE_MS - 1_439 * MINUTE_MS)
  assert.equal(known(day.requests), { 3: 6, 2: 1, 1: 1, 0: 0 })
  assert.equal(known(day.errors), { 3: 1, 2: 0, 1: 0, 0: 0 })
  assert.equal(known(day.refusals), { 3: 2, 2: 0, 1: 0, 0: 0 })
  assert.equal(known(day.streams), { 3: 3, 2: 3, 1: 3, 0: 3 })
  assert.equal(known(day.starts), { 3: 1, 2: 0, 1: 0, 0: 0 })
  const free = known(day.freeBytes!)
  assert.equal([free[3], free[2]], [9e9, 4e9])
  assert.not.ok(0 in free)
  const p95 = day.p95Ms.at(-4)!
  assert.ok(p95 >= 500 && p95 <= 550, String(p95))
  assert.is(day.p95Ms.at(-1), null, 'no request, no time')
  const [check] = day.checks
  assert.equal([check?.name, check?.surface, check?.required], ['persistence', 'runtime', true])
  assert.equal([check?.values.at(-4), check?.values.at(-3), check?.values.at(-2)], [true, false, false])
  await rig.end()
})

test('a check that fails once in a minute fails in it', () => {
  const minute = createMinute(1)
  for (const bits of [3, 2, 3]) minute.observe({ 'local devices': bits }, 0, null)
  assert.equal(minute.read().checks, { 'local devices': 2 })
})

test('after a kill nothing is lost but the running minute, whose start is known; the time between is a gap', async () => {
  const rig = new Rig()
  await rig.pass(3)
  rig.recorder.count(200, 1)
  rig.aheadMs = 5 * MINUTE_MS
  rig.restart()
  await rig.pass(1)
  const { requests, starts } = await rig.recorder.day()
  assert.equal([requests.at(-2), starts.at(-2)], [1, 1])
  assert.equal(known(requests.slice(0, -3)), { 6: 1, 5: 1, 4: 1 }, 'the minutes before the kill, then a gap')
  await rig.end()
})

test('a restart within a minute goes on with it', async () => {
  const rig = new Rig()
  await settle()
  rig.recorder.count(500, 700)
  await rig.recorder.stop()
  rig.restart()
  await rig.pass(1)
  const day = await rig.recorder.day()
  assert.equal([day.requests.at(-2), day.errors.at(-2), day.starts.at(-2)], [2, 1, 2])
  await rig.end()
})

test('a clock that is set back leaves what was before, and no minute of the future', async () => {
  const rig = new Rig()
  await rig.pass(5)
  rig.aheadMs = -3 * MINUTE_MS
  await rig.pass(2)
  const [present, { requests }] = [minuteOf(rig.now()), await rig.recorder.day()]
  // Minutes 0 and 1 are of before, minute 2 is new, and minute 3 too; minute 4 is running.
  assert.equal(known(requests), { 4: 1, 3: 1, 2: 1, 1: 1, 0: 0 })
  const rows = new DatabaseSync(rig.path, { readOnly: true })
  const [{ last }] = rows.prepare('SELECT max(minute) AS last FROM history_minutes').all() as [{ last: number }]
  rows.close()
  assert.ok(last <= present, `${last} ${present}`)
  await rig.end()
})

test('a clock that is set back by seconds over the beginning of a minute does not replace that minute', async () => {
  const rig = new Rig()
  await rig.pass(1)
  await rig.held.advance(1_000)
  rig.aheadMs = -2_000
  rig.recorder.count(200, 1)
  await rig.pass(1)
  const { requests } = await rig.recorder.day()
  assert.equal(
    requests.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    3,
    'no request is lost',
  )
  await rig.end()
})

test('a clock that is a year ahead for a while removes nothing', async () => {
  const rig = new Rig()
  await rig.pass(3)
  rig.aheadMs = 365 * 1_440 * MINUTE_MS
  await rig.pass(3)
  const ahead = await rig.recorder.day()
  assert.equal(known(ahead.requests), { 3: 1, 2: 1, 1: 1, 0: 0 })
  rig.aheadMs = 0
  await rig.pass(2)
  const back = await rig.recorder.day()
  assert.equal(known(back.requests.slice(0, -3)), { 5: 1, 4: 1, 3: 1, 2: 0 }, 'the first minutes are there again')
  await rig.end()
})

test('a store that cannot be written costs the minutes of that time, with one warning', async () => {
  const rig = new Rig()
  await rig.pass(1)
  rig.isFull = true
  await rig.pass(3)
  rig.isFull = false
  await rig.pass(2)
  const { requests } = await rig.recorder.day()
  // The minute that ended when there was room again is the first one that was written.
  assert.equal(known(requests), { 6: 1, 2: 1, 1: 1, 0: 0 })
  assert.is(rig.warnings.length, 1, rig.warnings.join())
  await rig.end()
})

test('at most two days are kept, in the order of writing', async () => {
  const rig = new Rig()
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
  await rig.end()
})

test('a damaged minute is a gap, and svc store check names it', async () => {
  const rig = new Rig()
  await rig.pass(3)
  const minute = minuteOf(START_MS) + 1
  const rows = new DatabaseSync(rig.path)
  rows
    .prepare(`UPDATE history_minutes SET body = replace(body, '"requests":1', '"requests":7') WHERE minute = ?`)
    .run(minute)
  rows.close()
  assert.equal(known((await rig.recorder.day()).requests), { 3: 1, 1: 1, 0: 0 })
  await rig.end()
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
