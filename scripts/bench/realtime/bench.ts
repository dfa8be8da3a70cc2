/**
 * Measures the fan-out of entity events: this project on both transports, against Nchan (nginx), a bare node:http loop
 * and better-sse. Rounds are interleaved, so that other load on the machine affects all contestants; the table shows
 * medians and ratios. Throughput is deliveries per second of the server's CPU time: on a quiet machine with the server
 * alone on its core this equals wall-clock throughput, and on a busy machine it still measures the server's own cost.
 */
import { roundsOf } from '../harness/figures.ts'
import { withFolder } from '../harness/processes.ts'
import { type Contestant, contestants } from './contestants.ts'
import { compileLoad, type Measured, openReaders, Publisher } from './load.ts'
import { holdBars, newRow, print, RATES, type Row } from './table.ts'

const ROUNDS = roundsOf(3)
/** Number of events in a burst, and in a sequence of single events. */
const BURST = 100
const SINGLES = 60
/** Number of single events before the measurement, so that the server's code is compiled. */
const WARM_UP = 150
/** Seconds for which delays are measured at each rate. */
const STEADY_S = 2

/**
 * Compares at 1 000 and 5 000 connections. Returns false if a bar is missed.
 * @throws Error without a C compiler
 */
export function bench(): Promise<boolean> {
  return withFolder(async (folder) => {
    const load = compileLoad(folder)
    if (load === undefined) throw new Error('Nothing was measured: there is no C compiler.')
    return [await compare(load, folder, 1_000), await compare(load, folder, 5_000)].every(Boolean)
  })
}

async function compare(load: string, folder: string, connections: number): Promise<boolean> {
  const rows = new Map<string, Row>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, start] of Object.entries(contestants)) {
      const contestant = await start(folder).catch(
        (error: Error) => void process.stderr.write(`Without ${name}: ${error.message}\n`),
      )
      if (contestant === undefined) continue
      const row = rows.get(name) ?? newRow()
      rows.set(name, row)
      try {
        await runRound(load, contestant, connections, row)
      } catch (error) {
        process.stderr.write(`${name}, ${connections} connections: ${(error as Error).message}\n`)
      }
      await contestant.stop()
    }
  }
  print(connections, ROUNDS, rows)
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
    const { deliveries } = await measure()
    return deliveries / (contestant.cpuSeconds() - began)
  }
  const publish = (events: number) => async (): Promise<number> => {
    await publisher.send(events)
    return events
  }
  const single = async (times: number): Promise<Measured> => {
    let all: Measured = { deliveries: 0, seconds: 0, readerBusy: 0, p50: 0, p99: 0 }
    for (let i = 0; i < times; i++) {
      const next = await readers.measure(publish(1))
      const seconds = all.seconds + next.seconds
      const readerBusy = (all.readerBusy * all.seconds + next.readerBusy * next.seconds) / seconds
      all = { ...next, deliveries: all.deliveries + next.deliveries, seconds, readerBusy }
    }
    return all
  }
  await readers.measure(publish(BURST))
  await single(WARM_UP)
  for (let i = 0; i < 2; i++) row.burst.push(await perSecond(() => readers.measure(publish(BURST))))
  const singles = perSecond(async () => {
    const all = await single(SINGLES)
    row.busy.push(all.readerBusy)
    return all
  })
  row.single.push(await singles)
  for (const rate of RATES) {
    const steady = await readers.measure(async () => {
      await publisher.sendSteadily(rate * STEADY_S, rate)
      return rate * STEADY_S
    })
    row.p50[rate].push(steady.p50)
    row.p99[rate].push(steady.p99)
  }
  publisher.close()
  await readers.stop()
}
