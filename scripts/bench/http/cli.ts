/**
 * What an answer costs: GET /health of the transports against bare servers and frameworks, in interleaved rounds. Each
 * round measures every server; a ratio is taken within a round, and the median of the rounds is printed. The second ratio
 * is of answers for a second of the server's processor time, which other work on the machine disturbs less.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contestant, startContestant, startProgram } from './contestant.ts'
import { generator, load } from './load.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)

/** The least that a ratio may be. */
const bars = [
  { of: 'svc-uws', to: 'raw-uws', least: 0.8 },
  { of: 'svc-node', to: 'raw-node', least: 0.9 },
  { of: 'svc-node', to: 'fastify', least: 1 },
  { of: 'svc-node', to: 'hono', least: 1 },
] as const

interface Measure {
  readonly perSecond: number
  readonly perCpuSecond: number
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const contestants: Contestant[] = []
const rounds: Map<string, Measure>[] = []
try {
  for (const kind of ['raw-uws', 'svc-uws', 'raw-node', 'svc-node', 'fastify', 'hono']) {
    contestants.push(await startContestant(kind))
  }
  const program = 'dist/server-full/svc.mjs'
  if (existsSync(program)) {
    for (const transport of ['uws', 'node']) {
      contestants.push(await startProgram(`server-full ${transport}`, program, transport, folder))
    }
  }
  for (const { port } of contestants) await load(port, 1)
  for (let round = 0; round < ROUNDS; round++) {
    const measures = new Map<string, Measure>()
    for (const contestant of contestants) measures.set(contestant.name, await measure(contestant))
    rounds.push(measures)
  }
} finally {
  await Promise.all(contestants.map((contestant) => contestant.stop()))
  rmSync(folder, { recursive: true, force: true })
}
print()

async function measure({ port, cpuSeconds }: Contestant): Promise<Measure> {
  const before = cpuSeconds()
  const { answers, seconds } = await load(port, SECONDS)
  return { perSecond: answers / seconds, perCpuSecond: answers / (cpuSeconds() - before) }
}

function print(): void {
  console.log(`${generator}, 50 connections, ${ROUNDS} rounds of ${SECONDS} s, Node ${process.version}; medians\n`)
  console.log('| server | answers/s | answers per CPU second |')
  console.log('|---|---:|---:|')
  for (const { name } of contestants) {
    const of = (key: keyof Measure): string => {
      return Math.round(median(rounds.map((round) => round.get(name)![key]))).toLocaleString('en')
    }
    console.log(`| ${name} | ${of('perSecond')} | ${of('perCpuSecond')} |`)
  }
  console.log('\n| ratio | by the clock | by CPU time | bar |')
  console.log('|---|---:|---:|---:|')
  const more = contestants.some(({ name }) => name.startsWith('server-full'))
    ? [
        { of: 'server-full uws', to: 'raw-uws', least: undefined },
        { of: 'server-full node', to: 'raw-node', least: undefined },
        { of: 'server-full node', to: 'fastify', least: undefined },
      ]
    : []
  for (const { of, to, least } of [...bars, ...more]) {
    const ratio = (key: keyof Measure): string => {
      return median(rounds.map((round) => round.get(of)![key] / round.get(to)![key])).toFixed(2)
    }
    console.log(`| ${of} / ${to} | ${ratio('perSecond')} | ${ratio('perCpuSecond')} | ${least?.toFixed(2) ?? ''} |`)
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
