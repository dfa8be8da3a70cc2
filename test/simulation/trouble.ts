/** The time of trouble: faults, and actions of devices and owners during the faults. */

import { uuidOf } from '../unit/kbd/boards.ts'
import type { Chance } from './chance.ts'
import { OTHER, PROJECT, TEXTS } from './client.ts'
import { crash, ignore, pull, putText, type StoryParts, upgrade } from './deeds.ts'
import { keyOf } from './keys.ts'
import { uuidOf as uuidFrom } from './life.ts'
import type { SimulatedNode } from './node.ts'

/** The largest error of a clock that is nearly right, in milliseconds. */
const SKEW_MS = 40_000
/** The largest error of a clock that is wrong. */
const YEAR_MS = 365 * 86_400_000
/** The largest error of a clock that is right: other clocks that are right accept its commands. */
const RIGHT_MS = 10_000
/** The duration of the trouble in milliseconds, and the number of actions in it. */
const [SPAN_MS, ACTIONS] = [20_000, 28]

/** Crashes nodes, cuts the network, changes clocks and makes media fail, while devices write and push. */
export async function trouble(parts: StoryParts): Promise<void> {
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
  const schedule = (name: string, run: (own: Chance) => void): void => {
    const own = chance.fork(name)
    world.in(own.between(0, SPAN_MS), () => run(own))
  }
  // In some runs clocks are off by up to a year, and jump. The first node is spared, so that one is right.
  const clocks = chance.fork('clocks')
  const isWild = clocks.hit(0.4)
  const set = (node: SimulatedNode, own: Chance): void => {
    const wild = isWild && node !== nodes[0] && own.hit(0.5)
    node.isWild ||= wild
    node.skewMs = wild ? own.between(-YEAR_MS, YEAR_MS) : own.between(-SKEW_MS, SKEW_MS)
    world.count(wild ? 'wrong clocks' : 'clocks set')
    world.tell(`the clock of ${node.name} is set by ${Math.round(node.skewMs)}`)
  }
  if (isWild) for (const node of nodes) if (clocks.hit(0.3)) set(node, clocks)
  if (isWild) for (let n = 0; n < 6; n++) schedule(`jump ${n}`, (own) => set(own.pick(nodes), own))
  for (let n = 0; n < 4; n++) schedule(`right ${n}`, (own) => writeRight(parts, own))
  for (let n = 0; n < 8; n++) schedule(`contender ${n}`, (own) => contend(parts, own))
  for (let n = 0; n < ACTIONS; n++) schedule(`action ${n}`, (own) => act(parts, own))
  for (let n = chance.below(4); n >= 0; n--) schedule(`crash ${n}`, (own) => crash(parts, own.pick(nodes), own))
  for (let n = chance.below(4); n > 0; n--) schedule(`cut ${n}`, (own) => cut(parts, own))
  for (let n = chance.below(3); n > 0; n--)
    schedule(`slow ${n}`, (own) => {
      const { name } = own.pick(nodes)
      world.tell(`${name} is slow`)
      network.slow.set(name, own.between(100, 1_500))
      world.in(own.between(1_000, 15_000), () => network.slow.delete(name))
    })
  for (let n = chance.below(3); n > 0; n--)
    schedule(`clock ${n}`, (own) => {
      set(own.pick(nodes), own)
    })
  for (let n = 0; n < 5; n++) schedule(`other ${n}`, (own) => actInOther(parts, own))
  if (chance.hit(0.3))
    schedule('revocation', (own) => {
      const node = own.pick(nodes)
      if (node.isUp) ignore(owners.revoke(node, own.pick(['d3', 'd4', 'd5'])))
    })
  if (cast.liar !== undefined) for (let n = 0; n < 6; n++) schedule(`words ${n}`, (own) => sayUnasked(parts, own))
  if (chance.hit(0.3))
    schedule('oblivion', (own) => {
      const [node, other] = [own.pick(nodes), own.pick(nodes)]
      if (!node.isUp || node.isFormer || node === other) return
      ignore(owners.forget(node, other))
      world.in(own.between(500, 10_000), () => node.isUp && !node.isFormer && ignore(owners.enter(node)))
    })
  for (const node of nodes) if (node.isFormer && chance.hit(0.6)) schedule('upgrade', () => upgrade(parts, node))
  await world.pass(SPAN_MS)
}

/** A device with a right clock writes at a node with a right clock. */
function writeRight({ owners, clients, cast }: StoryParts, chance: Chance): void {
  const node = chance.pick(cast.honest(owners.nodes))
  if (!node.isUp || Math.abs(node.skewMs) > RIGHT_MS) return
  const command = { type: 'board.update', boardId: uuidOf(0x1000), title: `right ${node.name}` } as const
  ignore(clients.write(node, keyOf('d0'), { command, isRight: true }))
}

/** A device claims a card that others claim too, on any node. Some leases end during the trouble. */
function contend({ owners, clients }: StoryParts, chance: Chance): void {
  const n = chance.below(owners.nodes.length)
  const node = owners.nodes[n]!
  if (!node.isUp) return
  const cardId = uuidOf(0x3000 + chance.below(2))
  const leaseMs = chance.pick([10_000, 60_000])
  const command = { type: 'claim.acquire', claimId: uuidFrom(chance), cardId, agent: null, leaseMs } as const
  ignore(clients.write(node, keyOf(chance.hit(0.5) ? 'd0' : `d${Math.max(1, n)}`), { command }))
}

/** A random action in the project that only some peers may read. */
function actInOther({ owners, clients }: StoryParts, chance: Chance): void {
  const { nodes } = owners
  const node = chance.pick(nodes)
  if (!node.isUp) return
  const device = keyOf('d0')
  const what = chance.below(3)
  if (what === 0) {
    const command = { type: 'board.update', boardId: uuidOf(0x1000), title: `of ${node.name}` } as const
    ignore(clients.write(node, device, { project: OTHER, command }))
  } else if (what === 1) {
    const targetEndpointIds = nodes.filter((candidate) => candidate !== node).map(({ key }) => key.endpointId)
    const family = chance.hit(0.7) ? 'kbd-control' : 'kbd-content'
    ignore(clients.push(node, device, { domain: `${family}:${OTHER}`, targetEndpointIds }))
  } else ignore(pull(node, chance.pick(nodes), OTHER))
}

/** Sends an unsolicited request of the dishonest node to another node. */
function sayUnasked({ network, owners, cast }: StoryParts, chance: Chance): void {
  const { name, says } = cast.liar!
  const exchange = says.unasked()
  const others = owners.nodes.filter((candidate) => candidate.name !== name)
  if (exchange !== undefined) ignore(network.exchange(name, chance.pick(others).name, exchange, 2_000))
}

/** A random action of a device or an owner. */
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
    const targetEndpointIds = nodes
      .filter((candidate) => candidate !== node && chance.hit(0.5))
      .map(({ key }) => key.endpointId)
    const family = chance.hit(0.75) ? 'kbd-control' : 'kbd-content'
    ignore(clients.push(node, device, { domain: `${family}:${PROJECT}`, targetEndpointIds }))
  } else if (what < 0.77) ignore(putText(node, chance.pick([...TEXTS.keys()])))
  else if (what < 0.9) ignore(pull(node, chance.pick(nodes)))
  else if (clients.all.length > 0) {
    const submission = chance.pick(clients.all)
    // A client that does not know the outcome submits again, perhaps more than once.
    const elsewhere = chance.hit(0.3) ? node : submission.node
    if (elsewhere.isUp)
      for (let times = 1 + chance.below(2); times > 0; times--) ignore(clients.again(submission, elsewhere))
  }
  // Sometimes other actions happen at the same time.
  if (chance.hit(0.1)) for (let n = chance.below(6); n > 0; n--) act(parts, chance.fork(`burst ${n}`))
  // Sometimes the node crashes in the middle of the action.
  if (chance.hit(0.1)) parts.world.in(chance.between(0, 2 * parts.media.syncMs[1]), () => crash(parts, node, chance))
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
