/** What is done to nodes, and by them, in every part of a story. */
import type { Chance } from './chance.ts'
import { type Clients, PROJECT, TEXTS } from './client.ts'
import type { Cast, Media, Owners } from './cluster.ts'
import type { Judge } from './judge.ts'
import type { Network } from './network.ts'
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

/** By then whoever lost power has it again, in milliseconds. */
export const LONGEST_DOWN_MS = 5_000
const SHORTEST_DOWN_MS = 50

/** A node loses power, and has it again soon. */
export function crash({ world, judge }: StoryParts, node: SimulatedNode, chance: Chance): void {
  if (!node.isUp) return
  world.count('crashes')
  node.crash()
  judge.compare(node)
  world.in(chance.between(SHORTEST_DOWN_MS, LONGEST_DOWN_MS), () => ignore(restart(judge, node)))
}

/** Starts a node that is down. */
export async function restart(judge: Judge, node: SimulatedNode): Promise<void> {
  if (node.isUp) return
  await node.start().catch((error: unknown) => judge.blame('sound', node.name, `did not start: ${String(error)}`))
}

/** A node of the former version is stopped and started with the present one, on what it has. */
export function upgrade({ world, judge, owners }: StoryParts, node: SimulatedNode): void {
  world.count('upgrades')
  world.tell(`${node.name} is upgraded`)
  node.crash()
  judge.compare(node)
  node.isFormer = false
  ignore(restart(judge, node).then(() => owners.enter(node)))
}

/** A node fetches what another has. */
export async function pull(node: SimulatedNode, other: SimulatedNode, project: string = PROJECT): Promise<void> {
  if (node === other) return
  await node.ask('POST', `/api/v1/peers/${other.key.endpointId}/pull`, { project })
}

/** Keeps a text at a node. */
export async function putText(node: SimulatedNode, hash: string): Promise<void> {
  await node.ask('PUT', `/api/v1/kbd/content/${hash}?project=${PROJECT}`, TEXTS.get(hash)!)
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
export function ignore(work: Promise<unknown>): void {
  work.catch(() => undefined)
}
