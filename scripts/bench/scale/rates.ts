/** New API keys, and deliveries to streams, through one node and through three. */
import type { Node } from '../cluster/nodes.ts'
import { median, roundsOf, show, whole } from '../harness/figures.ts'
import { call } from '../harness/token.ts'
import { openReaders, Publisher, type Readers } from '../realtime/load.ts'

const ROUNDS = roundsOf(7)

/**
 * Keys that are made at the same time, fewer than `security.max_keys_in_the_making`, and how many each caller makes in
 * a round.
 */
const CALLERS = 3
const KEYS = 8

/** Streams, and the events of a burst. */
const STREAMS = 600
const EVENTS = 100

/**
 * Measures new keys, then deliveries if `load`, the compiled program of the readers, is given. Rounds of keys are
 * interleaved.
 */
export async function measureRates(nodes: readonly Node[], load: string | undefined): Promise<void> {
  const sets = [nodes.slice(0, 1), nodes]
  const keys = sets.map(() => [] as number[])
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, used] of sets.entries()) keys[index]!.push(await keysPerSecond(used, `${round}-${index}`))
  console.log(`\nThrough one node and through ${nodes.length}, medians of ${ROUNDS} interleaved rounds, by the clock\n`)
  for (const [index, used] of sets.entries())
    show(`API keys made by ${CALLERS} callers at once, ${through(used)}, a second`, median(keys[index]!).toFixed(1))
  if (load === undefined) return
  for (const used of sets) await measureStreams(used, load)
}

const through = ({ length }: readonly unknown[]): string => (length === 1 ? 'one node' : `${length} nodes`)

async function keysPerSecond(nodes: readonly Node[], name: string): Promise<number> {
  const since = performance.now()
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const { port } = nodes[caller % nodes.length]!
      for (let n = 0; n < KEYS; n++) await call(port, '/api/svc/auth/keys', { name: `rate-${name}-${caller}-${n}` })
    }),
  )
  return (CALLERS * KEYS * 1_000) / (performance.now() - since)
}

/**
 * Measures deliveries to `STREAMS` streams, divided evenly over `nodes`. The first node publishes all events, in
 * bursts.
 */
async function measureStreams(nodes: readonly Node[], load: string): Promise<void> {
  const each = STREAMS / nodes.length
  const readers = await Promise.all(nodes.map((node) => openReaders(load, node, each)))
  const publisher = new Publisher(nodes[0]!)
  try {
    const [rates, costs] = [[] as number[], [] as number[]]
    // The first round warms up.
    for (let round = -1; round < ROUNDS; round++) {
      const cpu = (): number => nodes.reduce((sum, node) => sum + node.cpuSeconds(), 0)
      const before = cpu()
      const seconds = await burst(readers, publisher)
      if (round < 0) continue
      rates.push((STREAMS * EVENTS) / seconds)
      costs.push(((cpu() - before) * 1e6) / (STREAMS * EVENTS))
    }
    show(`deliveries to ${whole(STREAMS)} streams, ${through(nodes)}, a second`, whole(median(rates)))
    show('  processor time of all nodes for one, µs', median(costs).toFixed(1))
  } finally {
    publisher.close()
    await Promise.all(readers.map((one) => one.stop()))
  }
}

/** Publishes a burst once all readers wait for it. Returns the seconds until every reader has all events. */
async function burst(readers: readonly Readers[], publisher: Publisher): Promise<number> {
  let waiting = 0
  let begin = (_sent: Promise<void>): void => undefined
  const sent = new Promise<void>((resolve) => {
    begin = resolve
  })
  const publish = async (): Promise<number> => {
    if (++waiting === readers.length) begin(publisher.send(EVENTS))
    await sent
    return EVENTS
  }
  const measured = await Promise.all(readers.map((one) => one.measure(publish)))
  return Math.max(...measured.map(({ seconds }) => seconds))
}
