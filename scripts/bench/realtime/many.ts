/**
 * Measures one process with many streams: the memory of an idle stream, and the delay of events that many streams read.
 */
import { spawnSync } from 'node:child_process'
import { median } from '../statistics.ts'
import { type Contestant, start } from './contestants.ts'
import { type Measured, openReaders, Publisher } from './load.ts'

/** Number of idle streams, and of streams that read every event. Each kind has a separate process. */
const IDLE = Number(process.env['SVC_BENCH_IDLE'] ?? 50_000)
const LIVE = Number(process.env['SVC_BENCH_LIVE'] ?? 20_000)
const RATE = 10
const SECONDS = 5
const ROUNDS = 3
/** Highest number of other files that a process has open. */
const OTHER_FILES = 500

/** The highest memory of an idle stream in bytes, and the highest p99 of the delay in milliseconds. */
const BARS = { idleBytes: 8_192, p99Ms: 1_000 } as const

/** Measures uWebSockets.js. Returns false if a bar is missed. */
export async function measureMany(load: string, folder: string): Promise<boolean> {
  const most = mostStreams()
  console.log('\nOne process of uWebSockets.js')
  if (most < Math.max(IDLE, LIVE))
    console.log(`NOT ${IDLE} idle and ${LIVE} live streams: a process may open ${most} here`)
  const kept = [
    await measureIdle(load, folder, Math.min(IDLE, most)),
    await measureLive(load, folder, Math.min(LIVE, most)),
  ]
  return kept.every(Boolean)
}

/** The most streams that the limit of open files permits. Both ends of a connection count, each in its own process. */
function mostStreams(): number {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })
  const files = Number(stdout)
  return Number.isNaN(files) ? Infinity : files - OTHER_FILES
}

async function measureIdle(load: string, folder: string, streams: number): Promise<boolean> {
  return withServer(folder, async (server) => {
    const before = server.memory()
    const readers = await openReaders(load, { ...server, listenPath: '/api/live/quiet' }, streams)
    const bytes = (server.memory() - before) / streams
    await readers.stop()
    return checkBar(`memory of one of ${streams} idle streams, bytes`, bytes, BARS.idleBytes)
  })
}

async function measureLive(load: string, folder: string, streams: number): Promise<boolean> {
  return withServer(folder, async (server) => {
    const readers = await openReaders(load, { ...server, listenPath: server.publishPath }, streams)
    const publisher = new Publisher(server)
    const rounds: Measured[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const measured = await readers.measure(async () => {
        await publisher.sendSteadily(RATE * SECONDS, RATE)
        return RATE * SECONDS
      })
      // The first round warms up.
      if (round >= 0) rounds.push(measured)
    }
    publisher.close()
    await readers.stop()
    const of = (figure: keyof Measured): number => median(rounds.map((round) => round[figure]))
    const busy = Math.round(of('readerBusy') * 100)
    console.log(
      `     ${RATE} events/s to ${streams} streams: p50 of the delay ${(of('p50') / 1_000).toFixed(1)} ms, the reading program uses ${busy} % of its core`,
    )
    return checkBar(`p99 of the delay at ${RATE} events/s to ${streams} streams, ms`, of('p99') / 1_000, BARS.p99Ms)
  })
}

async function withServer(folder: string, measure: (server: Contestant) => Promise<boolean>): Promise<boolean> {
  const server = await start('svc-uws', folder)
  if (server === undefined) return false
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

function checkBar(text: string, value: number, most: number): boolean {
  console.log(`${value <= most ? 'ok  ' : 'FAIL'} ${text}: ${value.toFixed(0)} (at most ${most})`)
  return value <= most
}
