/**
 * Compares one node in cluster form with one that runs alone: fan-out of one topic, appends, and reading a run's
 * record. Rates are per second of the node's CPU time, which other processes on the machine disturb less than
 * wall-clock time.
 */
import { inTurns, isMet, Rows, roundsOf, show, whole } from '../harness/figures.ts'
import { toRequest } from '../harness/load.ts'
import { prepare, rateOf } from '../harness/rates.ts'
import { bearer, call } from '../harness/token.ts'
import { compileLoad, openReaders, Publisher } from '../realtime/load.ts'
import { appendTo, type Node, startClusterNode, withEngines } from './nodes.ts'

const ROUNDS = roundsOf(11)
const TURN_S = 0.4
const READERS = 1_000
/** Number of events in a burst, and of single events that are sent one after the other. */
const BURST = 100
const SINGLES = 60
/** Number of runs that are appended to at the same time, each by one caller who waits for each acknowledgement. */
const APPENDERS = 16

/** The lowest allowed ratio of a node in cluster form to one that runs alone. */
const BAR = 0.9

/** Runs the comparison. Returns false if a bar is missed or nothing can be measured on this machine. */
export function bench(): Promise<boolean> {
  return withEngines(async ({ folder, engines }) => {
    const load = compileLoad(folder)
    const nodes = {
      alone: await startClusterNode('alone', { folder, core: 0 }),
      'in a cluster': await startClusterNode('cluster', { folder, engines, core: 0 }),
    }
    const [alone, clustered] = [new Rows(), new Rows()]
    const readOf = (server: Node) => ({
      ...{ name: 'read', server },
      requests: [toRequest('GET', '/api/svc/runs/read', [bearer()])],
    })
    try {
      for (const node of Object.values(nodes)) {
        await call(node.port, '/api/svc/runs', { run_id: 'read' })
        await prepare(readOf(node))
      }
      await inTurns(ROUNDS, Object.entries(nodes), async ([name, node], round) => {
        const rows = name === 'alone' ? alone : clustered
        rows.add('record of a run, answers per CPU second', await rateOf(readOf(node), TURN_S))
        if (load !== undefined) await fanOut(load, node, rows)
        const before = node.cpuSeconds()
        const answers = await appendTo([node], { name: `append-${round}`, appenders: APPENDERS, seconds: TURN_S })
        rows.add('appends with acknowledgement, per CPU second', answers / (node.cpuSeconds() - before))
      })
    } finally {
      await Promise.all(Object.values(nodes).map((node) => node.stop()))
    }
    console.log(
      `One node, medians of ${ROUNDS} interleaved rounds. Only fan-out has a bar, because the rest asks NATS.\n`,
    )
    show('', ...Object.keys(nodes), 'ratio')
    const ratios = alone.names.map((what) => {
      const both = new Rows()
      for (const value of alone.values(what)) both.add('alone', value)
      for (const value of clustered.values(what)) both.add('clustered', value)
      const ratio = both.ratio('clustered', 'alone')
      show(what, whole(both.median('alone')), whole(both.median('clustered')), ratio.toFixed(2))
      return [what, ratio] as const
    })
    console.log()
    return ratios
      .filter(([what]) => what.startsWith('fan-out'))
      .map(([what, ratio]) => isMet(`${what}, in a cluster / alone`, ratio, BAR))
      .every(Boolean)
  })
}

async function fanOut(load: string, node: Node, rows: Rows): Promise<void> {
  const readers = await openReaders(load, node, READERS)
  const publisher = new Publisher(node)
  const rate = async (times: number, events: number): Promise<number> => {
    const publish = async (): Promise<number> => {
      await publisher.send(events)
      return events
    }
    const before = node.cpuSeconds()
    let deliveries = 0
    for (let n = 0; n < times; n++) deliveries += (await readers.measure(publish)).deliveries
    return deliveries / (node.cpuSeconds() - before)
  }
  await rate(1, BURST)
  rows.add(`fan-out to ${READERS} in bursts, deliveries per CPU second`, await rate(3, BURST))
  rows.add(`fan-out to ${READERS} one by one, deliveries per CPU second`, await rate(SINGLES, 1))
  publisher.close()
  await readers.stop()
}
