/** One run of the simulation. The whole run is determined by its seed. */
import { createHash } from 'node:crypto'
import { type Chance, createChance } from './chance.ts'
import { createClients } from './client.ts'
import { type Cast, createCluster, type Media, type Oddity } from './cluster.ts'
import type { StoryParts } from './deeds.ts'
import { startDisks } from './disk.ts'
import type { Figures } from './figures.ts'
import { createJudge, type Violation } from './judge.ts'
import { rememberPoints } from './keys.ts'
import { createLiar } from './liar.ts'
import { createNetwork } from './network.ts'
import { tellStory } from './story.ts'
import { createWorld } from './world.ts'

/** Differences from the normal run of a seed. */
export interface RunOptions {
  /** Called with each line of the trace. */
  readonly line?: (text: string) => void
  /** Deliberately broken nodes, by name. */
  readonly broken?: Readonly<Record<string, Oddity>>
}

/** The result of a run. */
export interface Outcome {
  readonly seed: number
  /** SHA-256 of the trace. All runs of a seed have the same hash. */
  readonly traceHash: string
  readonly violations: readonly Violation[]
  /** The number of events, and the virtual time in milliseconds. */
  readonly steps: number
  readonly virtualMs: number
  readonly figures: Figures
}

/** A world with its nodes, all of them down, and the parts that act on them. */
export interface Run extends StoryParts {
  close(): void
}

let started: Promise<void> | undefined

/** Runs the simulation of a seed. */
export async function simulate(seed: number, options: RunOptions = {}): Promise<Outcome> {
  const run = await createRun(seed, NAMES, options)
  const { world, judge } = run
  try {
    await tellStory(run)
  } finally {
    run.close()
  }
  return {
    seed,
    traceHash: world.traceHash(),
    violations: judge.violations,
    steps: world.steps,
    virtualMs: world.nowMs,
    figures: world.figures,
  }
}

/** Creates the world of a seed, before any event. */
export async function createRun(seed: number, names: readonly string[], options: RunOptions = {}): Promise<Run> {
  await (started ??= start())
  const world = createWorld(options.line)
  const chance = createChance(`seed ${seed}`)
  const cast = castOf(chance.fork('cast'), options.broken ?? {})
  const judge = createJudge(
    world.count,
    ({ what, node, detail }) => world.tell(`!! ${what} ${node}: ${detail}`),
    (endpointId) => cast.honest(owners.nodes).find(({ key }) => key.endpointId === endpointId),
  )
  const network = createNetwork(world, chance.fork('network'), ({ body = '' }) =>
    createHash('sha256').update(body).digest('hex').slice(0, 12),
  )
  const media: Media = { syncMs: [0, 0], failure: 0 }
  const ways = chance.fork('ways')
  const [pulls, isWide, settlesSoon] = [ways.hit(0.25), ways.hit(0.2), ways.hit(0.15)]
  const clients = createClients({ world, judge, chance: chance.fork('clients'), isWide })
  const settings = {
    ...(pulls && { 'peer.pull_interval_ms': 8_000 }),
    // The commands of a node need several bodies.
    ...(isWide && { 'peer.max_body_bytes': 65_536 }),
    ...(settlesSoon && { 'sync.settle_after_ms': 5_000 }),
  }
  const parts = { world, network, judge, media, cast, chance: chance.fork('nodes'), settings }
  const owners = createCluster(names, parts)
  return {
    ...{ world, network, media, judge, clients, owners, cast, chance: chance.fork('story') },
    close() {
      for (const { disk } of owners.nodes) disk.close()
    },
  }
}

const LIAR = 'n4'
const NAMES = ['n0', 'n1', 'n2', 'n3', 'n4']

/** Chooses the dishonest node and the node of the former version. Deliberately broken nodes count as honest. */
function castOf(chance: Chance, broken: Readonly<Record<string, Oddity>>): Cast {
  const oddities: Record<string, Oddity> = {}
  const says = createLiar(LIAR, chance.fork('liar'), chance.pick([0.2, 0.6, 1]))
  const liar = chance.hit(0.7) ? { name: LIAR, says } : undefined
  if (liar !== undefined) oddities[LIAR] = { tamper: says }
  if (chance.hit(0.5)) oddities['n3'] = { isFormer: true }
  if (chance.hit(0.2)) oddities['n2'] = { embedded: chance.fork('embedded').hit(0.5) ? 'bytes' : 'database' }
  return {
    oddities: { ...oddities, ...broken },
    liar,
    honest: (nodes) => nodes.filter(({ name }) => name !== liar?.name),
  }
}

async function start(): Promise<void> {
  rememberPoints()
  await startDisks()
}
