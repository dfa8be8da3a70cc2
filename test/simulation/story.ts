/** The story of a run: a calm beginning, a time of trouble, and the repair after which everything must be correct. */
import type { Command } from '../../plugins/kbd/api.ts'
import { uuidOf } from '../unit/kbd/boards.ts'
import { OTHER, PROJECT, TEXTS } from './client.ts'
import { during, ignore, LONGEST_DOWN_MS, pull, putText, restart, type StoryParts, upgrade } from './deeds.ts'
import { examine } from './examine.ts'
import { keyOf } from './keys.ts'
import { CALM } from './network.ts'
import type { SimulatedNode } from './node.ts'
import { trouble } from './trouble.ts'

/**
 * Device d0 is enrolled at all nodes, d1 to d4 at the node with the same number, and d5 forks. Further devices are
 * enrolled at random.
 */
const DEVICES = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5']
/** The error of a clock that is wrong is larger. */
const MINUTES_MS = 120_000
/** The most rounds of pulls. One round is enough if no node has something new. */
const MAX_ROUNDS = 3
/** Longer than the longest pause between two deliveries, in milliseconds. */
const DELIVERY_MS = 6_000

const place = { boardId: uuidOf(0x1000), columnId: uuidOf(0x2000), rank: 'm' }
/** The first commands. They create the boards, columns and cards that later commands refer to. */
const beginning: readonly Command[] = [
  { type: 'board.create', boardId: uuidOf(0x1000), title: 'Board' },
  { type: 'board.create', boardId: uuidOf(0x1001), title: 'Another' },
  { type: 'column.create', ...place, title: 'To do' },
  { type: 'column.create', ...place, columnId: uuidOf(0x2001), title: 'Done' },
  ...[0, 1, 2].map((n): Command => ({ type: 'card.create', ...place, cardId: uuidOf(0x3000 + n), title: `Card ${n}` })),
]

/** Runs the story from its beginning to its end. */
export async function tellStory(parts: StoryParts): Promise<void> {
  await begin(parts)
  await trouble(parts)
  await heal(parts)
  await examine(parts)
}

/** Starts all nodes, registers their peers, and gives all nodes the same first commands. */
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
    const shared = clients.all.length
    await clients.write(first!, keyOf('d0'), { project: OTHER, command: beginning[0]! })
    for (const { kernel } of more) {
      const { engine } = kernel.capability('Boards')
      const commands = await Promise.all(
        clients.all.map(({ body }) => engine.prove(JSON.parse(Buffer.from(body).toString()))),
      )
      await engine.admit(PROJECT, commands.slice(0, shared))
      await engine.admit(OTHER, commands.slice(shared))
    }
  })
}

/**
 * Repairs everything: power, network, clocks, media, versions, peer registries and enrolments. Clients submit
 * everything again.
 */
async function heal(parts: StoryParts): Promise<void> {
  const { world, network, media, owners, clients, cast, judge } = parts
  world.tell('healing')
  Object.assign(network, { weather: CALM, groups: new Map() })
  network.slow.clear()
  Object.assign(media, { syncMs: [0.1, 0.2], failure: 0 })
  // Half of the clocks that are wrong stay wrong.
  for (const node of owners.nodes) if (Math.abs(node.skewMs) <= MINUTES_MS || parts.chance.hit(0.5)) node.skewMs = 0
  // Waits until all scheduled restarts have happened.
  await world.pass(LONGEST_DOWN_MS)
  for (const node of owners.nodes) {
    if (node.isFormer) upgrade(parts, node)
    else if (!node.isUp) ignore(restart(judge, node))
  }
  await world.pass(1_000)
  const honest = cast.honest(owners.nodes)
  const [first, ...others] = honest
  await during(world, judge, async () => {
    for (const node of owners.nodes) await owners.enter(node)
    for (const other of others) await owners.carryDevices(other, first!)
    for (const other of others) await owners.carryDevices(first!, other)
    for (const submission of [...clients.all]) await clients.again(submission)
    await Promise.all([...TEXTS.keys()].map((hash) => putText(first!, hash)))
  })
  await world.pass(DELIVERY_MS)
  await during(world, judge, async () => {
    // A new command of the owner vouches for all earlier commands of the node, also of other signers.
    for (const node of honest)
      await clients.write(node, keyOf('d0'), {
        command: { type: 'board.update', boardId: uuidOf(0x1000), title: node.name },
        isRight: node.skewMs === 0,
      })
    await equalise(honest)
  })
  // Waits for deliveries that needed texts.
  await world.pass(DELIVERY_MS)
  // Meanwhile the dishonest node may have sent withheld commands to one of the nodes.
  await during(world, judge, () => equalise(honest))
}

/** Pulls in both directions between the first node and all others, until all have the same commands. */
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
