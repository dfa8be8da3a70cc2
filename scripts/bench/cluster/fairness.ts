/**
 * Measures the delay of one tenant's events to a reader of another node, while another tenant publishes 10 000 events a
 * second through the same node.
 */
import { connect } from 'node:net'
import { openReaders, Publisher } from '../realtime/load.ts'
import { median } from '../statistics.ts'
import { holds, type Setting, show, whole } from './report.ts'
import { bearerOf, type Measured, startServer } from './servers.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 5)
/** Events a second of the measured tenant, and the length of a round in seconds. */
const RATE = 100
const ROUND_S = 5
/** Events a second of the other tenant. */
const FLOOD_RATE = 10_000
/** The longest delay of an event by the other tenant, in milliseconds. */
const MOST_MS = 250

const QUIET = { user_id: 'ann', tenant_id: 'quiet' }
const LOUD = { user_id: 'bob', tenant_id: 'loud' }

/**
 * Measures the delay with and without the other tenant in turns. Returns false if the delay is too long, or the other
 * tenant published less than the required rate.
 */
export async function measureFairness({ load, folder, engines }: Setting): Promise<boolean> {
  if (load === undefined) return true
  const [near, far] = [
    await startServer('near', { folder, engines }),
    await startServer('far', { folder, engines }),
  ] as const
  const quiet = await openReaders(load, { ...far, header: bearerOf(QUIET) }, 1)
  const loud = await openReaders(load, { ...far, header: bearerOf(LOUD) }, 1)
  const publisher = new Publisher({ ...near, header: bearerOf(QUIET) })
  const steadily = (): Promise<{ readonly p50: number; readonly p99: number }> =>
    quiet.measure(async () => {
      await publisher.sendSteadily(RATE * ROUND_S, RATE)
      return RATE * ROUND_S
    })
  try {
    // Both are run once before the measurement, because compiled code is faster.
    const warming = startFlood(near)
    await steadily()
    await warming.stop()
    const seen = { alone: [] as number[], beside: [] as number[], taken: [] as number[], refused: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      seen.alone.push((await steadily()).p99 / 1_000)
      const flood = startFlood(near)
      seen.beside.push((await steadily()).p99 / 1_000)
      const { taken, refused } = await flood.stop()
      seen.taken.push(taken)
      seen.refused += refused
    }
    console.log(
      `\nTwo tenants of two nodes: ${RATE} events a second of one are measured, medians of ${ROUNDS} rounds\n`,
    )
    show('events a second that the other publishes', whole(median(seen.taken)))
    show('of its events refused, all rounds', whole(seen.refused))
    show('delivery on the other node without the other tenant, p99', `${median(seen.alone).toFixed(2)} ms`)
    show('delivery on the other node beside the other tenant, p99', `${median(seen.beside).toFixed(2)} ms`)
    const more = seen.beside.map((ms, round) => ms - seen.alone[round]!)
    return [
      holds('events a second of the other tenant', median(seen.taken), 0.95 * FLOOD_RATE),
      holds('delay by the other tenant, ms, p99 of the worst round', Math.max(...more), MOST_MS, 'at most'),
    ].every(Boolean)
  } finally {
    publisher.close()
    await Promise.all([quiet.stop(), loud.stop()])
    await Promise.all([near.stop(), far.stop()])
  }
}

interface Flood {
  /** Stops publishing. Resolves to the accepted events per second and the number of refused events. */
  stop(): Promise<{ readonly taken: number; readonly refused: number }>
}

/** Publishes at a fixed rate over one connection, without waiting for the answers. */
function startFlood({ port, publishPath }: Measured): Flood {
  const body = JSON.stringify({
    identifier: 'todo-1',
    operation: 'update',
    data: { t: '0'.repeat(19), title: 'a title' },
  })
  const head = `POST ${publishPath} HTTP/1.1\r\nHost: 127.0.0.1\r\n${bearerOf(LOUD)}\r\nContent-Type: application/json\r\n`
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let [sent, taken, answered] = [0, 0, 0]
  let tail = ''
  let wake = (): void => undefined
  socket.once('close', () => wake())
  socket.on('data', (chunk) => {
    const text = tail + chunk.toString('latin1')
    const statuses = text.match(/HTTP\/1\.1 \d/g) ?? []
    answered += statuses.length
    taken += statuses.filter((status) => status.endsWith('2')).length
    // A status that is split between two chunks is counted with the second chunk.
    tail = /H(?:T(?:T(?:P(?:\/(?:1(?:\.(?:1 ?)?)?)?)?)?)?)?$/.exec(text)?.[0] ?? ''
    wake()
  })
  const since = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - since) / 1_000) * FLOOD_RATE) - sent
    socket.write(request.repeat(due))
    sent += due
  }, 2)
  return {
    stop: async () => {
      clearInterval(timer)
      while (answered < sent && !socket.destroyed) await new Promise<void>((resolve) => (wake = resolve))
      const seconds = (performance.now() - since) / 1_000
      socket.destroy()
      return { taken: taken / seconds, refused: sent - taken }
    },
  }
}
