/**
 * Measures the time until a reader has all events of a run from a node that has not seen the run, against a bare
 * consumer of the subject.
 */
import { connect as connectTcp } from 'node:net'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { createConsumer, createInbox, deleteConsumer } from '../../../plugins/cluster/nats/jetstream.ts'
import { logOf, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { median } from '../statistics.ts'
import { holds, type Setting, show } from './report.ts'
import { BEARER, CALLER, call, startServer } from './servers.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 21)
/** Number of events, the most that a run retains. Each is appended separately. */
const EVENTS = 4_096

/**
 * Number of runs that are read before the measurement, so that the code of both sides is compiled to the same degree.
 */
const WARM_UP = 4

/** The highest allowed ratio of the node's time to the consumer's time. */
const BAR = 1.5

/** Runs the measurement. Returns false if the bar is missed. */
export async function measureHydration({ folder, engines }: Setting): Promise<boolean> {
  const [writer, reader] = [
    await startServer('writer', { folder, engines }),
    await startServer('reader', { folder, engines }),
  ]
  const nats = await connect({ servers: engines.nats.url.replace('nats://', '') })
  try {
    const runs = Array.from({ length: WARM_UP + ROUNDS }, (_, n) => `long-${n}`)
    await Promise.all(runs.map((run) => write(writer.port, run)))
    const taken = { bare: [] as number[], node: [] as number[] }
    for (const [round, run] of runs.entries()) {
      const measure = { bare: () => consume(nats, run), node: () => read(reader.port, run) }
      for (const who of round % 2 === 0 ? (['bare', 'node'] as const) : (['node', 'bare'] as const)) {
        const beganMs = performance.now()
        await measure[who]()
        if (round >= WARM_UP) taken[who].push(performance.now() - beganMs)
      }
    }
    console.log(
      `\nA run of ${EVENTS} events, read on a node that has not seen it; medians of ${ROUNDS} runs, by the clock\n`,
    )
    show('a bare consumer of its subject', `${median(taken.bare).toFixed(0)} ms`)
    show('a reader of the node', `${median(taken.node).toFixed(0)} ms`)
    const ratio = median(taken.node.map((ms, round) => ms / taken.bare[round]!))
    return holds('hydration / a bare consumer', ratio, BAR, 'at most')
  } finally {
    await nats.close()
    await Promise.all([writer.stop(), reader.stop()])
  }
}

async function write(port: number, run_id: string): Promise<void> {
  await call(port, '/api/svc/runs', { run_id })
  const append = (event: object): Promise<unknown> => call(port, `/api/svc/runs/${run_id}/events`, event)
  await append({ type: 'RUN_STARTED', threadId: 't', runId: run_id })
  for (let n = 2; n <= EVENTS; n++) await append({ type: 'CUSTOM', name: 'n', value: n })
}

/** Reads every message of a run's subject, and collects the lines. */
async function consume(nats: NatsConnection, run_id: string): Promise<void> {
  const inbox = createInbox()
  const lines: string[] = []
  let seen = 0
  let end = (): void => {}
  const all = new Promise<void>((resolve) => {
    end = resolve
  })
  const subscription = nats.subscribe(inbox, {
    callback: (error, message) => {
      if (error !== null) return
      // A message that is not a delivery is a flow-control request.
      if (message.reply?.startsWith('$JS.ACK.') !== true) {
        message.respond()
        return
      }
      const text = message.string()
      if (text !== '') lines.push(...text.split('\n'))
      if (++seen > EVENTS) end()
    },
  })
  const filter_subject = logOf({ owner: CALLER, run_id })
  const { name } = await createConsumer(nats, RUNS, inbox, {
    deliver_policy: 'all',
    filter_subject,
    idle_heartbeat: 5e9,
  })
  await all
  if (lines.length !== EVENTS) throw new Error(`${lines.length} of ${EVENTS} events came`)
  subscription.unsubscribe()
  deleteConsumer(nats, RUNS, name)
}

/** Reads a stream up to its last event. */
function read(port: number, run_id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: '127.0.0.1', port, noDelay: true })
    let tail = ''
    socket.on('error', reject)
    socket.write(`GET /api/svc/runs/${run_id}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n${BEARER}\r\n\r\n`)
    socket.on('data', (chunk) => {
      tail += chunk.toString('latin1')
      if (tail.includes(`-${EVENTS}\n`)) {
        socket.destroy()
        resolve()
      }
      tail = tail.slice(-64)
    })
  })
}
