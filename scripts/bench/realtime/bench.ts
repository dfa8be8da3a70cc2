/**
 * Fan-out of entity events: this project on both transports against Nchan (nginx), a bare node:http loop and better-sse.
 * Rounds are interleaved, so that a change of the machine's mood meets everybody; the table gives medians and ratios.
 * Throughput is deliveries per second of the server's processor time: on a quiet machine with the server alone on its
 * core that is what a clock on the wall shows, and on a busy one it still is the server's own cost.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.ts'
import { type Contestant, names, start } from './contestants.ts'
import { measureJoins } from './join.ts'
import { compileLoad, type Measured, openReaders, Publisher } from './load.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 3)
/** Events of a burst, and of a run of single events. */
const BURST = 100
const SINGLES = 20
/** The steady rate at which delays are measured, events a second, for this long. */
const RATE = 200
const STEADY_MS = 1_000

interface Row {
  burst: number[]
  single: number[]
  p50: number[]
  p99: number[]
  idleBytes: number[]
  busy: number[]
}

/** Compares at 1 000 and 5 000 connections; false where a bar is missed. Without a C compiler only joins are measured. */
export async function benchRealtime(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    const load = compileLoad(folder)
    const joins = measureJoins()
    const fanOut = load === undefined ? [] : [await compare(load, folder, 1_000), await compare(load, folder, 5_000)]
    return [joins, ...fanOut].every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(load: string, folder: string, connections: number): Promise<boolean> {
  const rows = new Map<string, Row>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const contestant = await start(name, folder).catch(
        (error: Error) => void process.stderr.write(`Without ${name}: ${error.message}\n`),
      )
      if (contestant === undefined) continue
      const row = rows.get(name) ?? { burst: [], single: [], p50: [], p99: [], idleBytes: [], busy: [] }
      rows.set(name, row)
      try {
        await runRound(load, contestant, connections, row)
      } catch (error) {
        process.stderr.write(`${name}, ${connections} connections: ${(error as Error).message}\n`)
      }
      await contestant.stop()
    }
  }
  print(connections, rows)
  return holdBars(connections, rows)
}

async function runRound(load: string, contestant: Contestant, connections: number, row: Row): Promise<void> {
  const before = contestant.memory()
  const readers = await openReaders(load, contestant, connections)
  const publisher = new Publisher(contestant)
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  await pause(500)
  row.idleBytes.push((contestant.memory() - before) / connections)
  const perSecond = async (measure: () => Promise<Measured>): Promise<number> => {
    const began = contestant.cpuSeconds()
    const { deliveries, readerBusy } = await measure()
    row.busy.push(readerBusy)
    return deliveries / (contestant.cpuSeconds() - began)
  }
  const publish = (events: number) => async (): Promise<number> => {
    await publisher.send(events)
    return events
  }
  // The first burst warms up.
  for (let i = 0; i < 3; i++) {
    const speed = await perSecond(() => readers.measure(publish(BURST)))
    if (i > 0) row.burst.push(speed)
  }
  const singles = await perSecond(async () => {
    let all: Measured = { deliveries: 0, seconds: 0, readerBusy: 0, p50: 0, p99: 0 }
    for (let i = 0; i < SINGLES; i++) {
      const one = await readers.measure(publish(1))
      all = {
        ...one,
        deliveries: all.deliveries + one.deliveries,
        readerBusy: Math.max(all.readerBusy, one.readerBusy),
      }
    }
    return all
  })
  row.single.push(singles)
  const steady = await readers.measure(async () => {
    const events = (RATE * STEADY_MS) / 1_000
    const began = performance.now()
    for (let i = 0; i < events; i++) {
      const due = began + (i * 1_000) / RATE
      if (due > performance.now()) await pause(due - performance.now())
      await publisher.send(1)
    }
    return events
  })
  row.p50.push(steady.p50)
  row.p99.push(steady.p99)
  publisher.close()
  await readers.stop()
}

function print(connections: number, rows: ReadonlyMap<string, Row>): void {
  const base = rows.get('nchan')
  const out = [`\n${connections} connections (medians of ${ROUNDS} rounds; × is against Nchan)\n`]
  const pad = (text: string, width: number): string => text.padStart(width)
  out.push(
    ['server    ', 'bursts/s', '×', 'singles/s', '×', 'p50 µs', 'p99 µs', '×', 'idle bytes', 'reader busy']
      .map((text, i) => (i === 0 ? text.padEnd(11) : pad(text, 12)))
      .join(''),
  )
  for (const [name, row] of rows) {
    const ratio = (mine: number[], theirs: number[] | undefined): string =>
      theirs === undefined ? '' : (median(mine) / median(theirs)).toFixed(2)
    const cells = [
      Math.round(median(row.burst)),
      ratio(row.burst, base?.burst),
      Math.round(median(row.single)),
      ratio(row.single, base?.single),
      median(row.p50),
      median(row.p99),
      ratio(row.p99, base?.p99),
      Math.round(median(row.idleBytes)),
      `${Math.round(Math.max(...row.busy) * 100)} %`,
    ]
    out.push(name.padEnd(11) + cells.map((cell) => pad(String(cell), 12)).join(''))
  }
  process.stdout.write(`${out.join('\n')}\n`)
}

/** What the fan-out must reach, each against a peer of the same run. */
function holdBars(connections: number, rows: ReadonlyMap<string, Row>): boolean {
  const ratio = (name: string, against: string, column: keyof Row): number => {
    const [mine, theirs] = [rows.get(name)?.[column], rows.get(against)?.[column]]
    return mine === undefined || theirs === undefined ? Number.NaN : median(mine) / median(theirs)
  }
  const bars: readonly (readonly [name: string, against: string, column: keyof Row, bar: number, most: boolean])[] = [
    ['svc-node', 'nchan', 'burst', 2, false],
    ['svc-uws', 'nchan', 'burst', 2, false],
    ['svc-node', 'nchan', 'single', 1, false],
    ['svc-uws', 'nchan', 'single', 0.8, false],
    ['svc-node', 'better-sse', 'single', 1.2, false],
    ['svc-uws', 'svc-node', 'idleBytes', 0.5, true],
    ...(connections === 1_000
      ? ([
          ['svc-node', 'nchan', 'p99', 1.5, true],
          ['svc-uws', 'nchan', 'p99', 1.5, true],
        ] as const)
      : []),
  ]
  let held = true
  for (const [name, against, column, bar, most] of bars) {
    const reached = ratio(name, against, column)
    // A peer that the machine lacks was named before; there is nothing to hold against.
    if (Number.isNaN(reached)) continue
    const fits = most ? reached <= bar : reached >= bar
    held &&= fits
    const line = `${name} to ${against}, ${column}: ${reached.toFixed(2)}, bar ${most ? 'at most' : 'at least'} ${bar}`
    process.stdout.write(`  ${fits ? 'held  ' : 'MISSED'}  ${line}\n`)
  }
  return held
}
