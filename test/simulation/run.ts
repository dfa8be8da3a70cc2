/** One run of the simulation: everything in it follows from its seed. */
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

/** How a run may differ from the ordinary one of its seed. */
export interface RunOptions {
  /** Hears of each line of the trace. */
  readonly line?: (text: string) => void
  /** Nodes that are broken on purpose, by name. */
  readonly broken?: Readonly<Record<string, Oddity>>
}

/** What came of a run. */
export interface Outcome {
  readonly seed: number
  /** SHA-256 of the trace: two runs of a seed have the same. */
  readonly traceHash: string
  readonly violations: readonly Violation[]
  /** Events, and milliseconds of virtual time. */
  readonly steps: number
  readonly virtualMs: number
  readonly figures: Figures
}

/** A world with its nodes, all of them down, and whoever deals with them. */
export interface Run extends StoryParts {
  close(): void
}

let started: Promise<void> | undefined

/** Runs a seed. */
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

/** Makes the world of a seed, in which nothing happens yet. */
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
    // What a node has goes in pages.
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

/** Who is a liar, and who of the former version; nodes that are broken on purpose pass for honest ones. */
function castOf(chance: Chance, broken: Readonly<Record<string, Oddity>>): Cast {
  const oddities: Record<string, Oddity> = {}
  const says = createLiar(LIAR, chance.fork('liar'), chance.pick([0.2, 0.6, 1]))
  const liar = chance.hit(0.7) ? { name: LIAR, says } : undefined
  if (liar !== undefined) oddities[LIAR] = { tamper: says }
  if (chance.hit(0.5)) oddities['n3'] = { isFormer: true }
  if (chance.hit(0.1)) oddities['n2'] = { keepsBytes: true }
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
