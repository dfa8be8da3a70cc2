/**
 * Measures the cost of an answer: GET /health of the transports, against bare servers and frameworks. Two processes of
 * the same program differ by up to 15 %, depending on the memory layout of their pages and compiled code. So each round
 * starts new processes, warms them up, and loads them in turns, forward and backward. A ratio is computed within a
 * round; the median and the range of the rounds are printed. The second ratio uses answers per second of the server's
 * CPU time, which other processes on the machine disturb less.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.ts'
import { type Contestant, startContestant, startProgram } from './contestant.ts'
import { generator, load } from './load.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
/** Seconds of load on a server, twice in a round. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1)

/** The compared servers, and the lowest allowed ratio. */
const pairs: readonly { readonly of: string; readonly to: string; readonly least?: number }[] = [
  { of: 'svc-uws', to: 'raw-uws', least: 0.8 },
  { of: 'svc-node', to: 'raw-node', least: 0.9 },
  { of: 'svc-node', to: 'fastify', least: 1 },
  { of: 'svc-node', to: 'hono', least: 1 },
  { of: 'server-full uws', to: 'raw-uws', least: 0.82 },
  { of: 'server-full node', to: 'raw-node', least: 0.82 },
  { of: 'server-full node', to: 'fastify' },
]

interface Measure {
  readonly perSecond: number
  readonly perCpuSecond: number
}

type Round = ReadonlyMap<string, Measure>

/** Servers that are measured in turns. */
interface Group {
  /** Seconds of load until the cost of an answer is stable; compiling node:http takes longer. */
  readonly warmUpSeconds: number
  readonly servers: readonly { readonly name: string; start(folder: string): Promise<Contestant> }[]
}

const groups: readonly Group[] = [
  { warmUpSeconds: 1, servers: [bare('svc-uws'), bare('raw-uws'), full('uws')] },
  { warmUpSeconds: 2, servers: [bare('svc-node'), bare('raw-node'), full('node'), bare('fastify'), bare('hono')] },
]

function bare(kind: string): Group['servers'][number] {
  return { name: kind, start: () => startContestant(kind) }
}

function full(transport: string): Group['servers'][number] {
  const name = `server-full ${transport}`
  return { name, start: (folder) => startProgram(name, 'dist/server-full/svc.mjs', transport, folder) }
}

/** Runs the comparison. Returns true if every bar is met by CPU time. */
export async function benchHttp(): Promise<boolean> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const measures = new Map<string, Measure>()
    for (const group of groups) await measureGroup(group, measures)
    rounds.push(measures)
  }
  printRates(rounds)
  return printRatios(rounds)
}

async function measureGroup({ servers, warmUpSeconds }: Group, measures: Map<string, Measure>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const contestants: Contestant[] = []
  try {
    for (const { start } of servers) {
      const contestant = await start(folder)
      contestants.push(contestant)
      await load(contestant.port, warmUpSeconds)
      contestant.pin()
    }
    const sums = new Map(contestants.map((contestant) => [contestant, { answers: 0, seconds: 0, cpuSeconds: 0 }]))
    for (const contestant of [...contestants, ...contestants.toReversed()]) {
      const sum = sums.get(contestant)!
      const before = contestant.cpuSeconds()
      const { answers, seconds } = await load(contestant.port, SECONDS)
      sum.answers += answers
      sum.seconds += seconds
      sum.cpuSeconds += contestant.cpuSeconds() - before
    }
    for (const [{ name }, { answers, seconds, cpuSeconds }] of sums) {
      measures.set(name, { perSecond: answers / seconds, perCpuSecond: answers / cpuSeconds })
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function printRates(rounds: readonly Round[]): void {
  console.log(
    `${generator}, 50 connections, ${ROUNDS} rounds of new processes, twice ${SECONDS} s each, Node ${process.version}; medians\n`,
  )
  console.log('| server | answers/s | answers per CPU second |')
  console.log('|---|---:|---:|')
  for (const { name } of groups.flatMap(({ servers }) => servers)) {
    const of = (key: keyof Measure): string => {
      return Math.round(median(rounds.map((round) => round.get(name)![key]))).toLocaleString('en')
    }
    console.log(`| ${name} | ${of('perSecond')} | ${of('perCpuSecond')} |`)
  }
}

/** Prints the ratios. Returns true if none is below its bar. */
function printRatios(rounds: readonly Round[]): boolean {
  let kept = true
  console.log('\n| ratio | by the clock | by CPU time | its rounds | bar |')
  console.log('|---|---:|---:|---:|---:|')
  for (const { of, to, least } of pairs) {
    const ratios = (key: keyof Measure): number[] =>
      rounds.map((round) => round.get(of)![key] / round.get(to)![key]).sort((a, b) => a - b)
    const [byClock, byCpu] = [ratios('perSecond'), ratios('perCpuSecond')]
    const value = median(byCpu)
    if (value < (least ?? 0)) kept = false
    const range = `${byCpu[0]!.toFixed(2)}–${byCpu.at(-1)!.toFixed(2)}`
    const bar = least === undefined ? '' : `${least.toFixed(2)}${value < least ? ' missed' : ''}`
    console.log(`| ${of} / ${to} | ${median(byClock).toFixed(2)} | ${value.toFixed(2)} | ${range} | ${bar} |`)
  }
  console.log()
  return kept
}
