/**
 * `make soak MINUTES=10`: the built program under load on all surfaces, with faults: the program is killed and
 * restarted, its disk is full, its clock is changed, readers do not read, connections are cut. Prints a table of
 * operations and errors, and the slope of the memory. Fails if something was lost or done twice, if an error was not
 * caused by a fault, and if memory grows.
 */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unbuilt } from '../e2e/sync/shipped.ts'
import { mountTmpfs, noTmpfs, unmount } from '../support/faults.ts'
import { folderWith } from '../support/folder.ts'
import { memoryOf, noMemory } from '../support/process-memory.ts'
import * as load from './load.ts'
import { createLanes } from './pushes.ts'
import { type Life, type Place, setClock, startLife } from './service.ts'
import { type Sample, slopeOf } from './slope.ts'
import { createTally, type Fault } from './tally.ts'

const LANES = 4
/** Errors after a kill: cut connections, and keys and runs that existed only in the process. */
const GONE =
  /^(?:E\w+|UND_ERR\w*|AbortError|TimeoutError|SyntaxError|stream|run|topic|401 api_key_invalid|404 |503 |409 run)/
const faults = {
  kill: { name: 'killed with -9 and started again', excuses: GONE },
  // Only refusals by the store, because every other function continues.
  disk: { name: 'the disk is full', excuses: /^503 (?:receipt_store_unavailable|envelope_preparation_failed|$)/ },
  clock: { name: 'the clock is set', excuses: /^422 request_(?:stale|from_future)/ },
} satisfies Readonly<Record<string, Fault>>

const minutes = Number(process.argv[2] ?? '10')
if (!(minutes > 0)) throw new TypeError('usage: soak MINUTES')
if (unbuilt !== undefined) throw new Error(unbuilt)
if (noMemory !== undefined) throw new Error(noMemory)

const folder = folderWith()
const disk = join(folder, 'disk')
mkdirSync(disk, { mode: 0o700 })
if (noTmpfs === undefined) {
  mountTmpfs(disk, Math.ceil(256 + 16 * minutes))
  // Unmounts at every kind of exit, before the folder is removed.
  process.prependOnceListener('exit', () => unmount(disk))
} else console.log(`The disk is never full: ${noTmpfs}.`)
const place: Place = { folder, state: join(disk, 'state') }
const tally = createTally()
const faultCounts: Record<string, number> = {}
const samples: Sample[] = []
const startedMs = performance.now()
const spanMs = minutes * 60_000
/**
 * The program is killed only in the first part of the soak, because memory can only be watched in a process that lives
 * long enough.
 */
const lastKillMs = startedMs + 0.35 * spanMs
/**
 * Between `lastKillMs` and `steadyMs` the load has no pauses, so that bounded caches and retained data are full when
 * the watching begins.
 */
const steadyMs = startedMs + 0.55 * spanMs
let offsetMs = 0
let over = false

async function main(): Promise<boolean> {
  setClock(folder, 0)
  const lanes = await createLanes(place.state, LANES)
  let life = await startLife(place)

  const repeat = async (name: string, pauseMs: number, operation: (life: Life) => Promise<void>): Promise<void> => {
    while (!over) {
      await tally.count(name, () => operation(life))
      await sleep(isWarming() ? 0 : pauseMs)
    }
  }
  const isWarming = (): boolean => performance.now() > lastKillMs && performance.now() < steadyMs
  const during = async (fault: Fault, graceMs: number, work: () => Promise<void>): Promise<void> => {
    faultCounts[fault.name] = (faultCounts[fault.name] ?? 0) + 1
    const close = tally.excuse(fault, graceMs)
    try {
      await work()
    } finally {
      close()
    }
  }
  const restart = (): Promise<void> =>
    during(faults.kill, 3_000, async () => {
      life.child.kill('SIGKILL')
      await life.child.exited
      life = await startLife(place)
    })
  const step = (toMs: number): Promise<void> =>
    during(faults.clock, 3_000, async () => {
      offsetMs = toMs
      setClock(folder, offsetMs)
      await sleep(500)
    })
  const makeFaults = async (): Promise<void> => {
    const turns = [
      () => (performance.now() < lastKillMs ? restart() : undefined),
      () => step(-3_600_000),
      () => (noTmpfs === undefined ? during(faults.disk, 3_000, fillDisk) : undefined),
      () => step(600_000),
      () => (performance.now() < lastKillMs ? restart() : undefined),
      () => step(0),
    ]
    for (let turn = 0; !over; turn++) {
      await sleep(Math.min(5_000, spanMs / 24))
      if (!over) await turns[turn % turns.length]!()
    }
    await step(0)
  }
  const watch = async (): Promise<void> => {
    while (!over) {
      if (performance.now() > steadyMs)
        samples.push({ atMs: performance.now(), bytes: memoryOf(life.child.pid).rssBytes })
      await sleep(1_000)
    }
  }
  const work = [
    repeat('tokens, probes, metrics', 250, load.readTokensAndMetrics),
    repeat('keys', 1_000, load.liveKey),
    repeat('runs', 250, load.liveRun),
    repeat('live topics', 500, load.liveTopic),
    repeat('bridge', 1_000, load.openBridge),
    repeat('slow readers', 0, load.readSlowly),
    repeat('cut connections', 500, load.cutOff),
    ...Array.from({ length: LANES }, (_, lane) =>
      repeat('pushes and their events', 100, (at) => lanes.push(lane, at, Date.now() + offsetMs)),
    ),
  ]
  const faulty = makeFaults()
  const watching = watch()
  await sleep(spanMs)
  over = true
  await Promise.all([...work, faulty, watching])

  const checked = await lanes.check(life)
  const { code } = await life.child.stop('SIGTERM', 15_000)
  const slope = slopeOf(samples)
  console.log(`\n${tally.table()}\n`)
  for (const [name, count] of Object.entries(faultCounts)) console.log(`${count} times ${name}`)
  console.log(`\n${checked.acknowledged} pushes acknowledged; lost: ${checked.lost}, doubled: ${checked.doubled}`)
  console.log(`errors that no fault excuses: ${tally.faults}; exit code after SIGTERM: ${code}`)
  console.log(
    `memory over the last ${slope.seconds} s: ${slope.startMiB} → ${slope.endMiB} MiB, ${slope.kibPerMinute} KiB a minute: ${slope.verdict}`,
  )
  return checked.lost + checked.doubled + tally.faults === 0 && code === 0 && slope.verdict !== 'grows'
}

/** Fills the disk completely for 2 s. */
async function fillDisk(): Promise<void> {
  const ballast = join(disk, 'ballast')
  const file = openSync(ballast, 'w')
  try {
    const chunk = Buffer.alloc(65_536)
    for (let size = chunk.length; size >= 1; ) {
      try {
        writeSync(file, chunk, 0, size)
      } catch {
        size = Math.floor(size / 2)
      }
    }
    await sleep(2_000)
  } finally {
    closeSync(file)
    rmSync(ballast)
  }
}

process.exitCode = (await main()) ? 0 : 1
