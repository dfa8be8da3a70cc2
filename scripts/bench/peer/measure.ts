/** The measurements of peers. Each returns ratios of operations that ran in turn. */
import { randomBytes } from 'node:crypto'
import { chain, type Device, edit, setup } from '../kbd/board.ts'
import { median } from '../statistics.ts'
import type { BareCalls, BareSetup } from './bare.ts'
import { createBareClient } from './bare-client.ts'
import { type Running, start } from './child.ts'
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
/** Number of pushes before the other side has its turn. */
const BLOCK = 25

/** Adds each of two nodes to the other's peers. */
async function acquaint(one: Node, other: Node): Promise<void> {
  await one.call('enter', [other.peer])
  await other.call('enter', [one.peer])
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
  const bare = await start<BareCalls>('./bare.ts', { file: bench.file() } satisfies BareSetup)
  const client = createBareClient(await bare.call('where', undefined), bench.file())
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

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}

function perSecond(count: number, inMs: number): string {
  return (count / (inMs / 1_000)).toFixed(0)
}
