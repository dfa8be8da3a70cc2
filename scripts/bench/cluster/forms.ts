/**
 * Compares one node in cluster form with one that runs alone: fan-out of one topic, appends, and reading a run's
 * record.
 */
import { load as drive, warmUp } from '../auth/client.ts'
import { openReaders, Publisher } from '../realtime/load.ts'
import { median } from '../statistics.ts'
import { appendTo } from './appends.ts'
import { holds, type Setting, show, whole } from './report.ts'
import { BEARER, call, type Measured, startServer } from './servers.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 11)
const CONNECTIONS = 50
const TURN_S = 0.4
const READERS = 1_000
/** Number of events in a burst, and of single events that are sent one after the other. */
const BURST = 100
const SINGLES = 60
/** Number of runs that are appended to at the same time, each by one caller who waits for each acknowledgement. */
const APPENDERS = 16

/** The lowest allowed ratio of a node in cluster form to one that runs alone. */
const BAR = 0.9

const GET = `GET /api/svc/runs/read HTTP/1.1\r\nHost: 127.0.0.1\r\n${BEARER}\r\n\r\n`

/** Results of one node by measurement, one per round. */
type Figures = Map<string, number[]>

/** Runs the comparison. Returns false if a bar is missed. */
export async function compareForms({ load, folder, engines }: Setting): Promise<boolean> {
  const nodes = [
    await startServer('alone', { folder, core: 0 }),
    await startServer('in a cluster', { folder, engines, core: 0 }),
  ]
  const figures = new Map<Measured, Figures>(nodes.map((node) => [node, new Map()]))
  try {
    for (const node of nodes) await prepare(node)
    for (let round = 0; round < ROUNDS; round++) {
      // The order alternates, because the state of the machine differs between the first and the second measurement.
      for (const node of round % 2 === 0 ? nodes : nodes.toReversed()) {
        const keep = (what: string, value: number): void => {
          const all = figures.get(node)!
          all.set(what, [...(all.get(what) ?? []), value])
        }
        keep('record of a run, answers per CPU second', await read(node))
        if (load !== undefined) await fanOut(load, node, keep)
        await append(node, round, keep)
      }
    }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  const [alone, clustered] = nodes.map((node) => figures.get(node)!) as [Figures, Figures]
  console.log(`One node, medians of ${ROUNDS} interleaved rounds\n`)
  for (const [what, values] of alone) {
    show(`${what}, alone`, whole(median(values)))
    show(`${what}, in a cluster`, whole(median(clustered.get(what)!)))
  }
  console.log()
  return [...alone]
    .map(([what, values]) => {
      const ratio = median(clustered.get(what)!.map((value, round) => value / values[round]!))
      if (what.startsWith('fan-out')) return holds(`${what}, in a cluster / alone`, ratio, BAR)
      console.log(`       ${what}, in a cluster / alone: ${ratio.toFixed(2)} (no bar: NATS is asked)`)
      return true
    })
    .every(Boolean)
}

/** Creates the run that is read, and warms the node up. */
async function prepare({ port }: Measured): Promise<void> {
  await call(port, '/api/svc/runs', { run_id: 'read' })
  await warmUp({ port, headers: [''], request: GET, connections: CONNECTIONS })
}

async function read(node: Measured): Promise<number> {
  const before = node.cpuSeconds()
  const asked = { port: node.port, headers: [''], request: GET, connections: CONNECTIONS, seconds: TURN_S }
  const { answers, refused } = await drive(asked)
  if (refused > 0) throw new Error(`${node.name}: ${refused} of ${answers} were refused`)
  return answers / (node.cpuSeconds() - before)
}

async function fanOut(load: string, node: Measured, keep: (what: string, value: number) => void): Promise<void> {
  const readers = await openReaders(load, node, READERS)
  const publisher = new Publisher(node)
  const publish = (events: number) => async (): Promise<number> => {
    await publisher.send(events)
    return events
  }
  const rate = async (times: number, events: number): Promise<number> => {
    const before = node.cpuSeconds()
    let deliveries = 0
    for (let n = 0; n < times; n++) deliveries += (await readers.measure(publish(events))).deliveries
    return deliveries / (node.cpuSeconds() - before)
  }
  await rate(1, BURST)
  keep(`fan-out to ${READERS} in bursts, deliveries per CPU second`, await rate(3, BURST))
  keep(`fan-out to ${READERS} one by one, deliveries per CPU second`, await rate(SINGLES, 1))
  publisher.close()
  await readers.stop()
}

async function append(node: Measured, round: number, keep: (what: string, value: number) => void): Promise<void> {
  const before = node.cpuSeconds()
  const answers = await appendTo([node], { name: `append-${round}`, appenders: APPENDERS, seconds: TURN_S })
  keep('appends with acknowledgement, per CPU second', answers / (node.cpuSeconds() - before))
  keep('appends with acknowledgement, a second by the clock', answers / TURN_S)
}
