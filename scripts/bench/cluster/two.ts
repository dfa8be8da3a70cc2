/** Measures two nodes on the cores of this machine: their common rate, and the delay of events between them. */
import { cpus } from 'node:os'
import { load as drive, warmUp } from '../auth/client.ts'
import { openReaders, Publisher } from '../realtime/load.ts'
import { median } from '../statistics.ts'
import { type Setting, show, whole } from './report.ts'
import { BEARER, call, type Measured, startServer } from './servers.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 9)
const CONNECTIONS = 50
const TURN_S = 0.5
/** Events a second while delays are measured, and the length of that measurement in seconds. */
const RATE = 100
const STEADY_S = 2

const GET = `GET /api/svc/runs/two HTTP/1.1\r\nHost: 127.0.0.1\r\n${BEARER}\r\n\r\n`

/** Runs the measurement. It has no bar. */
export async function measureTwo({ load, folder, engines }: Setting): Promise<boolean> {
  const nodes = [
    await startServer('first', { folder, engines }),
    await startServer('second', { folder, engines }),
  ] as const
  try {
    const [first] = nodes
    await call(first.port, '/api/svc/runs', { run_id: 'two' })
    for (const { port } of nodes) await warmUp({ port, headers: [''], request: GET, connections: CONNECTIONS })
    const rates = { one: [] as number[], two: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.one.push(await answersPerSecond([first]))
      rates.two.push(await answersPerSecond(nodes))
    }
    console.log(`\nTwo nodes, medians of ${ROUNDS} rounds, by the clock\n`)
    show('GET with a token, one node, answers a second', whole(median(rates.one)))
    show('GET with a token, two nodes, answers a second', whole(median(rates.two)))
    const ratio = median(rates.two.map((two, round) => two / rates.one[round]!))
    console.log(
      `       two nodes / one: ${ratio.toFixed(2)} on ${cpus().length} cores, which nodes, engines and load share`,
    )
    if (load !== undefined) await delays(load, nodes)
    return true
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

async function answersPerSecond(nodes: readonly Measured[]): Promise<number> {
  const loads = await Promise.all(
    nodes.map(({ port }) =>
      drive({ port, headers: [''], request: GET, connections: CONNECTIONS / nodes.length, seconds: TURN_S }),
    ),
  )
  if (loads.some(({ refused }) => refused > 0)) throw new Error('requests were refused')
  return loads.reduce((sum, { answers }) => sum + answers, 0) / TURN_S
}

/**
 * Measures the delay from the publisher's request at the first node to the reader's bytes, for readers of the same node
 * and of the other node.
 */
async function delays(load: string, [first, second]: readonly [Measured, Measured]): Promise<void> {
  for (const [what, node] of [
    ['the same node', first],
    ['the other node', second],
  ] as const) {
    const readers = await openReaders(load, node, 1)
    const publisher = new Publisher(first)
    const seen: { p50: number; p99: number }[] = []
    for (let round = -1; round < 5; round++) {
      const measured = await readers.measure(async () => {
        await publisher.sendSteadily(RATE * STEADY_S, RATE)
        return RATE * STEADY_S
      })
      // The first round warms up.
      if (round >= 0) seen.push(measured)
    }
    publisher.close()
    await readers.stop()
    for (const part of ['p50', 'p99'] as const)
      show(
        `delivery to a reader of ${what} at ${RATE}/s, ${part}`,
        `${(median(seen.map((one) => one[part])) / 1_000).toFixed(2)} ms`,
      )
  }
}
