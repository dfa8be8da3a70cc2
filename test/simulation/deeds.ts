/** Actions on nodes and of nodes that every part of a story uses. */
import type { Chance } from './chance.ts'
import { type Clients, PROJECT, TEXTS } from './client.ts'
import type { Cast, Media, Owners } from './cluster.ts'
import type { Judge } from './judge.ts'
import type { Network } from './network.ts'
import type { SimulatedNode } from './node.ts'
import type { World } from './world.ts'

/** The parts that a story uses. */
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

/** The longest time without power after a crash, in milliseconds. */
export const LONGEST_DOWN_MS = 5_000
const SHORTEST_DOWN_MS = 50

/** Crashes a node by a loss of power, and restarts it soon. */
export function crash({ world, judge }: StoryParts, node: SimulatedNode, chance: Chance): void {
  if (!node.isUp) return
  world.count('crashes')
  node.crash()
  judge.compare(node)
  world.in(chance.between(SHORTEST_DOWN_MS, LONGEST_DOWN_MS), () => ignore(restart(judge, node)))
}

/** Starts a node if it is down. */
export async function restart(judge: Judge, node: SimulatedNode): Promise<void> {
  if (node.isUp) return
  await node.start().catch((error: unknown) => judge.blame('sound', node.name, `did not start: ${String(error)}`))
}

/** Stops a node of the former version and starts it with the present version on its existing store. */
export function upgrade({ world, judge, owners }: StoryParts, node: SimulatedNode): void {
  world.count('upgrades')
  world.tell(`${node.name} is upgraded`)
  node.crash()
  judge.compare(node)
  node.isFormer = false
  ignore(restart(judge, node).then(() => owners.enter(node)))
}

/** Makes a node pull a project from another node. */
export async function pull(node: SimulatedNode, other: SimulatedNode, project: string = PROJECT): Promise<void> {
  if (node === other) return
  await node.ask('POST', `/api/v1/peers/${other.key.endpointId}/pull`, { project })
}

/** Stores a text at a node. */
export async function putText(node: SimulatedNode, hash: string): Promise<void> {
  await node.ask('PUT', `/api/v1/kbd/content/${hash}?project=${PROJECT}`, TEXTS.get(hash)!)
}

/** Runs work while virtual time passes, and reports a violation if the work fails or does not end. */
export async function during(world: World, judge: Judge, work: () => Promise<void>): Promise<void> {
  let over = false
  work().then(
    () => (over = true),
    (error: unknown) => {
      judge.blame('sound', 'all', error instanceof Error ? (error.stack ?? String(error)) : String(error))
      over = true
    },
  )
  if (!(await world.until(() => over, 120_000))) judge.blame('sound', 'all', 'an operation never ended')
}

/** Does not wait for work and ignores its failure, because failed operations are repeated after the trouble. */
export function ignore(work: Promise<unknown>): void {
  work.catch(() => undefined)
}
