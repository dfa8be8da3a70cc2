/** What happens in a run: a calm beginning, a time of trouble, and the healing after which all must be well. */
import type { Command } from '../../plugins/kbd/api.ts'
import { uuidOf } from '../unit/kbd/boards.ts'
import type { Chance } from './chance.ts'
import { type Clients, PROJECT, TEXTS } from './client.ts'
import type { Cast, Media, Owners } from './cluster.ts'
import { examine } from './examine.ts'
import type { Judge } from './judge.ts'
import { keyOf } from './keys.ts'
import { CALM, type Network } from './network.ts'
import type { SimulatedNode } from './node.ts'
import type { World } from './world.ts'

/** What a story is told with. */
export interface StoryParts {
  readonly world: World
  readonly network: Network
  readonly media: Media
  readonly judge: Judge
  readonly clients: Clients
  readonly owners: Owners
  readonly chance: Chance
  readonly cast: Cast
}

/** Enrolled everywhere, and its own node's alone: d0 is the owners' own, d5 forks. */
const DEVICES = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5']
/** Milliseconds of trouble, and what is done in them. */
const [SPAN_MS, ACTIONS] = [20_000, 28]
/** By then whoever lost power has it again. */
const [SHORTEST_DOWN_MS, LONGEST_DOWN_MS] = [50, 5_000]
/** How wrong clocks are, and by how much more than the future that a node takes. */
const [SKEW_MS, FUTURE_MS] = [40_000, 30_000]
/** One is enough where nobody says anything new. */
const MAX_ROUNDS = 3
/** Longer than the longest pause between two deliveries. */
const DELIVERY_MS = 6_000

const place = { boardId: uuidOf(0x1000), columnId: uuidOf(0x2000), rank: 'm' }
/** Things that later commands are about, with the ids that these choose among. */
const beginning: readonly Command[] = [
  { type: 'board.create', boardId: uuidOf(0x1000), title: 'Board' },
  { type: 'board.create', boardId: uuidOf(0x1001), title: 'Another' },
  { type: 'column.create', ...place, title: 'To do' },
  { type: 'column.create', ...place, columnId: uuidOf(0x2001), title: 'Done' },
  ...[0, 1, 2].map((n): Command => ({ type: 'card.create', ...place, cardId: uuidOf(0x3000 + n), title: `Card ${n}` })),
]

/** Tells the story of a run from its beginning to its end. */
export async function tellStory(parts: StoryParts): Promise<void> {
  await begin(parts)
  await trouble(parts)
  await heal(parts)
  await examine(parts)
}

/** Everybody is up, knows the others and has the same first commands. */
async function begin({ owners, clients, chance, world, judge }: StoryParts): Promise<void> {
  await during(world, judge, async () => {
    for (const [n, node] of owners.nodes.entries()) {
      await node.start()
      const others = DEVICES.filter((_, d) => d !== 0 && d !== n && chance.hit(0.6))
      await owners.enrol(node, n === 0 ? ['d0', ...others] : ['d0', `d${n}`, ...others])
      if (!node.isFormer) await owners.enter(node)
    }
    const [first, ...more] = owners.nodes
    for (const command of beginning) await clients.write(first!, keyOf('d0'), { command })
    for (const { kernel } of more) {
      const { engine } = kernel.capability('Boards')
      const commands = await Promise.all(
        clients.all.map(({ body }) => engine.prove(JSON.parse(Buffer.from(body).toString()))),
      )
      await engine.admit(PROJECT, commands)
    }
  })
}

/** Nodes crash, the net is cut, clocks go wrong, media fail; meanwhile devices write and push. */
async function trouble(parts: StoryParts): Promise<void> {
  const { world, network, media, owners, chance, cast } = parts
  const { nodes } = owners
  const low = chance.between(0.5, 30)
  network.weather = {
    latencyMs: [low, low * chance.between(1, 8)],
    loss: chance.below(3) * 0.05,
    again: chance.below(3) * 0.05,
  }
  media.syncMs = [0.1, chance.pick([0.2, 5, 50])]
  media.failure = chance.pick([0, 0, 0.01, 0.05])
  for (const node of nodes) node.skewMs = chance.between(-SKEW_MS / 2, SKEW_MS / 2)
  const at = (name: string, run: (own: Chance) => void): void => {
    const own = chance.fork(name)
    world.in(own.between(0, SPAN_MS), () => run(own))
  }
  for (let n = 0; n < ACTIONS; n++) at(`action ${n}`, (own) => act(parts, own))
  for (let n = chance.below(4); n >= 0; n--) at(`crash ${n}`, (own) => crash(parts, own.pick(nodes), own))
  for (let n = chance.below(4); n > 0; n--) at(`cut ${n}`, (own) => cut(parts, own))
  for (let n = chance.below(3); n > 0; n--)
    at(`slow ${n}`, (own) => {
      const { name } = own.pick(nodes)
      world.tell(`${name} is slow`)
      network.slow.set(name, own.between(100, 1_500))
      world.in(own.between(1_000, 15_000), () => network.slow.delete(name))
    })
  for (let n = chance.below(3); n > 0; n--)
    at(`clock ${n}`, (own) => {
      const node = own.pick(nodes)
      node.skewMs = own.between(-SKEW_MS, SKEW_MS)
      world.count('clocks set')
      world.tell(`the clock of ${node.name} is set by ${Math.round(node.skewMs)}`)
    })
  if (chance.hit(0.3))
    at('revocation', (own) => {
      const node = own.pick(nodes)
      if (node.isUp) ignore(owners.revoke(node, own.pick(['d3', 'd4', 'd5'])))
    })
  if (cast.liar !== undefined) for (let n = 0; n < 6; n++) at(`words ${n}`, (own) => sayUnasked(parts, own))
  if (chance.hit(0.3))
    at('oblivion', (own) => {
      const [node, other] = [own.pick(nodes), own.pick(nodes)]
      if (!node.isUp || node.isFormer || node === other) return
      ignore(owners.forget(node, other))
      world.in(own.between(500, 10_000), () => node.isUp && !node.isFormer && ignore(owners.enter(node)))
    })
  for (const node of nodes) if (node.isFormer && chance.hit(0.6)) at('upgrade', () => upgrade(parts, node))
  await world.pass(SPAN_MS)
}

/** The liar says more to somebody, on a connection of his. */
function sayUnasked({ network, owners, cast }: StoryParts, chance: Chance): void {
  const { name, says } = cast.liar!
  const exchange = says.unasked()
  const others = owners.nodes.filter((one) => one.name !== name)
  if (exchange !== undefined) ignore(network.exchange(name, chance.pick(others).name, exchange, 2_000))
}

/** Something that a device or an owner does. */
function act(parts: StoryParts, chance: Chance): void {
  const { owners, clients } = parts
  const { nodes } = owners
  const n = chance.below(nodes.length)
  const node = nodes[n]!
  if (!node.isUp) return
  const device = keyOf(chance.hit(0.3) ? 'd0' : `d${Math.max(1, n)}`)
  const what = chance.next()
  if (what < 0.32) ignore(clients.write(node, device))
  else if (what < 0.4) ignore(clients.write(node, keyOf('d5'), { isFork: true }))
  else if (what < 0.72) {
    const targetEndpointIds = nodes.filter((one) => one !== node && chance.hit(0.5)).map(({ key }) => key.endpointId)
    const family = chance.hit(0.75) ? 'kbd-control' : 'kbd-content'
    ignore(clients.push(node, device, { domain: `${family}:${PROJECT}`, targetEndpointIds }))
  } else if (what < 0.77) ignore(putText(node, chance.pick([...TEXTS.keys()])))
  else if (what < 0.9) ignore(pull(node, chance.pick(nodes)))
  else if (clients.all.length > 0) {
    const one = chance.pick(clients.all)
    // A client that does not know what came of it: at once and more than once.
    const elsewhere = chance.hit(0.3) ? node : one.node
    if (elsewhere.isUp) for (let times = 1 + chance.below(2); times > 0; times--) ignore(clients.again(one, elsewhere))
  }
  // And others at the same moment.
  if (chance.hit(0.1)) for (let n = chance.below(6); n > 0; n--) act(parts, chance.fork(`burst ${n}`))
  // Often in the middle of what was just begun.
  if (chance.hit(0.1)) parts.world.in(chance.between(0, 2 * parts.media.syncMs[1]), () => crash(parts, node, chance))
}

function crash({ world, judge, owners }: StoryParts, node: SimulatedNode, chance: Chance): void {
  if (!node.isUp) return
  world.count('crashes')
  node.crash()
  judge.compare(node)
  world.in(chance.between(SHORTEST_DOWN_MS, LONGEST_DOWN_MS), () => ignore(restart(owners, judge, node)))
}

async function restart(_owners: Owners, judge: Judge, node: SimulatedNode): Promise<void> {
  if (node.isUp) return
  await node.start().catch((error: unknown) => judge.blame('sound', node.name, `did not start: ${String(error)}`))
}

function cut({ world, network, owners }: StoryParts, chance: Chance): void {
  world.count('cuts')
  network.groups = new Map(owners.nodes.map(({ name }) => [name, chance.below(2)]))
  world.tell(`the net is cut: ${[...network.groups].map(([name, group]) => `${name}:${group}`).join(' ')}`)
  world.in(chance.between(1_000, 12_000), () => {
    network.groups = new Map()
    world.tell('the net is whole')
  })
}

/** A node of the former version is stopped and started with the present one, on what it has. */
function upgrade({ world, judge, owners }: StoryParts, node: SimulatedNode): void {
  world.count('upgrades')
  world.tell(`${node.name} is upgraded`)
  node.crash()
  judge.compare(node)
  node.isFormer = false
  ignore(restart(owners, judge, node).then(() => owners.enter(node)))
}

/** All is mended: power, net, clocks, media, versions, books and enrolments; clients hand in again all that they ever did. */
async function heal(parts: StoryParts): Promise<void> {
  const { world, network, media, owners, clients, cast, judge } = parts
  world.tell('healing')
  Object.assign(network, { weather: CALM, groups: new Map() })
  network.slow.clear()
  Object.assign(media, { syncMs: [0.1, 0.2], failure: 0 })
  for (const node of owners.nodes) node.skewMs = 0
  // Whoever was to be started again is by then.
  await world.pass(LONGEST_DOWN_MS)
  for (const node of owners.nodes) {
    if (node.isFormer) upgrade(parts, node)
    else if (!node.isUp) ignore(restart(owners, judge, node))
  }
  await world.pass(1_000)
  const honest = cast.honest(owners.nodes)
  const [first, ...others] = honest
  await during(world, judge, async () => {
    for (const node of owners.nodes) await owners.enter(node)
    for (const other of others) await owners.carryDevices(other, first!)
    for (const other of others) await owners.carryDevices(first!, other)
    for (const one of [...clients.all]) await clients.again(one)
    await Promise.all([...TEXTS.keys()].map((hash) => putText(first!, hash)))
  })
  // What was issued by clocks that are ahead is taken once the others come near.
  await world.pass(SKEW_MS - FUTURE_MS + DELIVERY_MS)
  await during(world, judge, async () => {
    // What an owner writes on all that his node has vouches for it, whoever wrote that.
    for (const node of honest)
      await clients.write(node, keyOf('d0'), {
        command: { type: 'board.update', boardId: uuidOf(0x1000), title: node.name },
      })
    await equalise(honest)
  })
  // Texts that deliveries waited for have come.
  await world.pass(DELIVERY_MS)
  // A liar may have given one of them meanwhile what he had kept from all.
  await during(world, judge, () => equalise(honest))
}

/** Pulls in both directions between one node and all others, until all have the same. */
async function equalise(honest: readonly SimulatedNode[]): Promise<void> {
  const [first, ...others] = honest
  for (let round = 0; round < MAX_ROUNDS && !(await areEqual(honest)); round++) {
    for (const other of others) await pull(first!, other)
    for (const other of others) await pull(other, first!)
  }
}

async function areEqual(nodes: readonly SimulatedNode[]): Promise<boolean> {
  const frontiers = await Promise.all(
    nodes.map(({ kernel }) =>
      kernel.capability('Boards').read((reads) => reads.standing(PROJECT).frontier.heads.join()),
    ),
  )
  return new Set(frontiers).size === 1
}

async function pull(node: SimulatedNode, other: SimulatedNode): Promise<void> {
  if (node === other) return
  await node.ask('POST', `/api/v1/peers/${other.key.endpointId}/pull`, { project: PROJECT })
}

async function putText(node: SimulatedNode, hash: string): Promise<void> {
  await node.ask('PUT', `/api/v1/kbd/content/${hash}`, TEXTS.get(hash)!)
}

/** Does something that takes time and has to come to an end. */
export async function during(world: World, judge: Judge, work: () => Promise<void>): Promise<void> {
  let over = false
  work().then(
    () => (over = true),
    (error: unknown) => {
      judge.blame('sound', 'all', error instanceof Error ? (error.stack ?? String(error)) : String(error))
      over = true
    },
  )
  if (!(await world.until(() => over, 120_000))) judge.blame('sound', 'all', 'something never came to an end')
}

/** In times of trouble nobody waits, and what fails is asked for again later. */
function ignore(work: Promise<unknown>): void {
  work.catch(() => undefined)
}
