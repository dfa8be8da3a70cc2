/** The measurements of peers. Each returns ratios of operations that ran in turn. */
import { createHash, randomBytes } from 'node:crypto'
import { chain, type Device, edit, setup } from '../kbd/board.ts'
import { median } from '../statistics.ts'
import type { BareCalls, BareSetup } from './bare.ts'
import { createBareClient } from './bare-client.ts'
import { type Running, start } from './child.ts'
import type { IdleCalls } from './idle.ts'
import type { NodeCalls, Peer } from './node.ts'

/** A running node. */
export type Node = Running<NodeCalls> & { readonly peer: Peer }

/** The input of the measurements. */
export interface Bench {
  readonly device: Device
  /** Starts a fresh node. */
  node(): Promise<Node>
  /** Returns the path of a new file. */
  file(): string
}

const CARDS = 200
const TEXT_BYTES = 65_536
/** Number of pushes or texts before the other side has its turn. */
const BLOCK = 25

/** Adds each of two nodes to the other's peers. */
async function acquaint(one: Node, other: Node): Promise<void> {
  await one.call('enter', [other.peer])
  await other.call('enter', [one.peer])
}

async function startBare(
  kind: BareSetup['kind'],
  count: number,
  file: string,
): Promise<Running<BareCalls> & { readonly peers: readonly Peer[] }> {
  const running = await start<BareCalls>('./bare.ts', { kind, count, file } satisfies BareSetup)
  return { ...running, peers: await running.call('peers', undefined) }
}

/**
 * Measures sending commands to a fresh peer. Returns the time in which a fresh node verifies and commits them alone,
 * divided by the time of the push.
 */
export async function measureCommands(bench: Bench, count: number): Promise<number> {
  const { device } = bench
  const commands = [...setup(CARDS), ...Array.from({ length: count }, (_, n) => edit(n % CARDS, `Title ${n}`))]
  const envelopes = chain(device, commands.slice(0, count)).map(({ envelope }) => envelope)
  const [sender, peer, alone] = [await bench.node(), await bench.node(), await bench.node()]
  await sender.call('admit', envelopes)
  await acquaint(sender, peer)
  const aloneMs = await alone.call('admit', envelopes)
  const target = peer.peer.endpointId
  const [pushMs] = await sender.call('push', [[target], [target]])
  if ((await peer.call('revision', undefined)) !== count) throw new Error('The peer has not got all of them.')
  console.log(
    `${count} commands: alone ${perSecond(count, aloneMs)}/s, to a peer ${perSecond(count, pushMs!)}/s, memory of the peer ${peer.residentMiB().toFixed(0)} MiB`,
  )
  for (const node of [sender, peer, alone]) await node.stop()
  return aloneMs / pushMs!
}

/**
 * The median time of a push of one new command until it is acknowledged, divided by the median time of a bare signed
 * exchange.
 */
export async function measurePushes(bench: Bench, rounds: number): Promise<number> {
  const [sender, peer] = [await bench.node(), await bench.node()]
  const bare = await startBare('bare', 1, bench.file())
  const client = createBareClient(bare.peers[0]!, bench.file())
  await acquaint(sender, peer)
  await sender.call(
    'admit',
    chain(bench.device, setup(1)).map(({ envelope }) => envelope),
  )
  const target = peer.peer.endpointId
  const found: { readonly pushes: number[]; readonly exchanges: number[] } = { pushes: [], exchanges: [] }
  const body = randomBytes(1_400)
  for (let done = -BLOCK; done < rounds; done += BLOCK) {
    const pushes = await sender.call('pushes', [target, BLOCK])
    const exchanges: number[] = []
    for (let n = 0; n < BLOCK; n++) exchanges.push(await client.signed(body))
    // The first block warms up.
    if (done < 0) continue
    found.pushes.push(...pushes)
    found.exchanges.push(...exchanges)
  }
  console.log(
    `a push of one command ${ms(median(found.pushes))}, a bare signed exchange ${ms(median(found.exchanges))}`,
  )
  client.close()
  for (const one of [sender, peer, bare]) await one.stop()
  return median(found.pushes) / median(found.exchanges)
}

/** The times to send and to fetch 64 KiB of content, divided by those over bare TLS. Both sides commit sent content. */
export async function measureContent(bench: Bench, rounds: number): Promise<readonly [put: number, get: number]> {
  const [sender, peer] = [await bench.node(), await bench.node()]
  const bare = await startBare('bare', 1, bench.file())
  const client = createBareClient(bare.peers[0]!, bench.file())
  await acquaint(sender, peer)
  const texts = Array.from({ length: rounds + BLOCK }, (_, n) => `${n} `.padEnd(TEXT_BYTES, 'abcdefghijklmnop'))
  await peer.call(
    'admit',
    chain(bench.device, setup(1)).map(({ envelope }) => envelope),
  )
  await peer.call(
    'name',
    texts.map((text) => createHash('sha256').update(text).digest('hex')),
  )
  const ratios = async (method: 'PUT' | 'GET'): Promise<number> => {
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let at = 0; at < texts.length; at += BLOCK) {
      const slice = texts.slice(at, at + BLOCK)
      const found = await sender.call('texts', [peer.peer, method, slice])
      const plain: number[] = []
      for (const text of slice) plain.push(await client.plain(method, method === 'PUT' ? Buffer.from(text) : undefined))
      if (at === 0) continue
      ours.push(...found)
      theirs.push(...plain)
    }
    console.log(`${method} of 64 KiB ${ms(median(ours))}, over bare TLS ${ms(median(theirs))}`)
    return median(ours) / median(theirs)
  }
  const result = [await ratios('PUT'), await ratios('GET')] as const
  client.close()
  for (const one of [sender, peer, bare]) await one.stop()
  return result
}

/** The p99 of four peers when 60 other targets hang, divided by their p99 without the other targets. */
export async function measureHanging(bench: Bench, rounds: number): Promise<number> {
  const ready = await startBare('ready', 4, '')
  const hanging = await startBare('hanging', 60, '')
  const [calm, crowded] = [await bench.node(), await bench.node()]
  const four = ready.peers.map(({ endpointId }) => endpointId)
  const all = [...four, ...hanging.peers.map(({ endpointId }) => endpointId)].sort()
  for (const node of [calm, crowded]) {
    await node.call('enter', [...ready.peers, ...hanging.peers])
    await node.call(
      'admit',
      chain(bench.device, setup(1)).map(({ envelope }) => envelope),
    )
  }
  const found: [number[], number[]] = [[], []]
  for (let done = -BLOCK; done < rounds; done += BLOCK) {
    for (const [i, [node, targets]] of (
      [
        [calm, four],
        [crowded, all],
      ] as const
    ).entries()) {
      for (let n = 0; n < BLOCK; n++) {
        const delays = await node.call('push', [[...targets], four])
        if (done >= 0) found[i]!.push(...delays)
      }
    }
  }
  const [without, among] = found.map((delays) => at(delays, 0.99)) as [number, number]
  console.log(
    `4 peers: p50 ${ms(median(found[0]))}, p99 ${ms(without)}; with 60 others that hang: p50 ${ms(median(found[1]))}, p99 ${ms(among)}`,
  )
  for (const one of [calm, crowded, ready, hanging]) await one.stop()
  return among / without
}

/** The memory in MiB that a node uses for 63 more idle peers, each with a connection. */
export async function measureIdle(bench: Bench): Promise<number> {
  const node = await bench.node()
  await node.call(
    'admit',
    chain(bench.device, setup(1)).map(({ envelope }) => envelope),
  )
  const callers = await start<IdleCalls>('./idle.ts', { count: 64, peer: node.peer })
  await node.call('enter', await callers.call('peers', undefined))
  await callers.call('open', 1)
  await node.call('collect', undefined)
  const beforeMiB = node.residentMiB()
  await callers.call('open', 64)
  await node.call('collect', undefined)
  const grownMiB = node.residentMiB() - beforeMiB
  for (const one of [node, callers]) await one.stop()
  return grownMiB
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}

function perSecond(count: number, inMs: number): string {
  return (count / (inMs / 1_000)).toFixed(0)
}
