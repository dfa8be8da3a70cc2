/**
 * Measures peers: nodes in separate processes on loopback. Each result is compared with one that was measured in turn
 * with it.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { isMet, median, roundsOf, show } from '../harness/figures.ts'
import { memoryOf, withFolder } from '../harness/processes.ts'
import { chain, createDevice, edit, setup } from '../kbd/board.ts'
import { type BareCalls, createBareClient } from './bare.ts'
import { type Running, start } from './child.ts'
import type { NodeCalls, NodeSetup, Peer } from './node.ts'

const COMMANDS = Number(process.env['SVC_BENCH_COMMANDS'] ?? 10_000)
/** Number of times that the commands are sent to a fresh peer; the median counts. */
const ROUNDS = roundsOf(3)
const PUSHES = Number(process.env['SVC_BENCH_PUSHES'] ?? 400)
const CARDS = 200
/** Number of pushes before the other side has its turn. */
const BLOCK = 25

type Node = Running<NodeCalls> & { readonly peer: Peer }

/** Runs the comparison. Returns false if a bar is missed. */
export function bench(): Promise<boolean> {
  return withFolder(async (folder) => {
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) ratios.push(await measureCommands(folder))
    const commands = `${COMMANDS} commands to a fresh peer: speed of verifying and committing them alone`
    return [
      isMet(commands, median(ratios), 0.5),
      isMet('a push of one new command, acknowledged, to a bare exchange', await measurePushes(folder), 2.3, 'at most'),
    ].every(Boolean)
  })
}

const device = createDevice()

/** Starts fresh nodes. The first and the second are peers of each other. */
async function startNodes(folder: string, count: number): Promise<Node[]> {
  const nodes: Node[] = []
  for (let n = 0; n < count; n++) {
    const identity = { pem: device.privatePem, keyId: device.keyId }
    const setup: NodeSetup = { folder: mkdtempSync(join(folder, 'node-')), device: identity }
    const running = await start<NodeCalls>('./node.ts', setup)
    nodes.push({ ...running, peer: await running.call('where', undefined) })
  }
  const [one, other] = nodes as [Node, Node]
  await one.call('enter', other.peer)
  await other.call('enter', one.peer)
  return nodes
}

/**
 * Returns the time in which a fresh node verifies and commits commands alone, divided by the time of a push of them.
 */
async function measureCommands(folder: string): Promise<number> {
  const commands = [...setup(CARDS), ...Array.from({ length: COMMANDS }, (_, n) => edit(n % CARDS, `Title ${n}`))]
  const envelopes = chain(device, commands.slice(0, COMMANDS)).map(({ envelope }) => envelope)
  const nodes = await startNodes(folder, 3)
  const [sender, peer, alone] = nodes as [Node, Node, Node]
  await sender.call('admit', envelopes)
  const aloneMs = await alone.call('admit', envelopes)
  const pushMs = await sender.call('push', peer.peer.endpointId)
  if ((await peer.call('revision', undefined)) !== COMMANDS) throw new Error('The peer has not got all of them.')
  const perSecond = (ms: number): string => `${((COMMANDS * 1_000) / ms).toFixed(0)}/s`
  show(`${COMMANDS} commands, alone and to a peer`, perSecond(aloneMs), perSecond(pushMs))
  show('  memory of the peer', `${(memoryOf([peer.pid]) / 2 ** 20).toFixed(0)} MiB`)
  for (const node of nodes) await node.stop()
  return aloneMs / pushMs
}

/** The median time of an acknowledged push of one new command, divided by the median time of a bare signed exchange. */
async function measurePushes(folder: string): Promise<number> {
  const nodes = await startNodes(folder, 2)
  const [sender, peer] = nodes as [Node, Node]
  const bare = await start<BareCalls>('./bare.ts', { file: join(folder, 'server.db') })
  const client = createBareClient(await bare.call('where', undefined), join(folder, 'client.db'))
  const first = chain(device, setup(1)).map(({ envelope }) => envelope)
  await sender.call('admit', first)
  const [pushes, exchanges]: [number[], number[]] = [[], []]
  const body = randomBytes(1_400)
  for (let done = -BLOCK; done < PUSHES; done += BLOCK) {
    const pushed = await sender.call('pushes', [peer.peer.endpointId, BLOCK])
    const exchanged: number[] = []
    for (let n = 0; n < BLOCK; n++) exchanged.push(await client.signed(body))
    // The first block warms up.
    if (done < 0) continue
    pushes.push(...pushed)
    exchanges.push(...exchanged)
  }
  show('a push of one command', `${median(pushes).toFixed(2)} ms`)
  show('a bare signed exchange', `${median(exchanges).toFixed(2)} ms`)
  client.close()
  for (const one of [...nodes, bare]) await one.stop()
  return median(pushes) / median(exchanges)
}
