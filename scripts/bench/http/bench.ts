/**
 * What an answer costs: GET /health of the transports against bare servers and frameworks, in interleaved rounds. Each
 * round measures every server; a ratio is taken within a round, and the median of the rounds is printed. The second ratio
 * is of answers for a second of the server's processor time, which other work on the machine disturbs less.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.ts'
import { type Contestant, startContestant, startProgram } from './contestant.ts'
import { generator, load } from './load.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)

/** What is compared, and the least that the ratio may be. */
const ratios: readonly { readonly of: string; readonly to: string; readonly least?: number }[] = [
  { of: 'svc-uws', to: 'raw-uws', least: 0.8 },
  { of: 'svc-node', to: 'raw-node', least: 0.9 },
  { of: 'svc-node', to: 'fastify', least: 1 },
  { of: 'svc-node', to: 'hono', least: 1 },
  { of: 'server-full uws', to: 'raw-uws', least: 0.9 },
  { of: 'server-full node', to: 'raw-node', least: 0.9 },
  { of: 'server-full node', to: 'fastify' },
]

interface Measure {
  readonly perSecond: number
  readonly perCpuSecond: number
}

type Round = ReadonlyMap<string, Measure>

/** Runs the comparison; true where every bar was kept, by processor time. */
export async function benchHttp(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const contestants: Contestant[] = []
  const rounds: Round[] = []
  try {
    for (const kind of ['raw-uws', 'svc-uws', 'raw-node', 'svc-node', 'fastify', 'hono']) {
      contestants.push(await startContestant(kind))
    }
    const program = 'dist/server-full/svc.mjs'
    for (const transport of ['uws', 'node']) {
      contestants.push(await startProgram(`server-full ${transport}`, program, transport, folder))
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
  printRates(
    contestants.map(({ name }) => name),
    rounds,
  )
  return printRatios(rounds)
}

async function measure({ port, cpuSeconds }: Contestant): Promise<Measure> {
  const before = cpuSeconds()
  const { answers, seconds } = await load(port, SECONDS)
  return { perSecond: answers / seconds, perCpuSecond: answers / (cpuSeconds() - before) }
}

function printRates(names: readonly string[], rounds: readonly Round[]): void {
  console.log(`${generator}, 50 connections, ${ROUNDS} rounds of ${SECONDS} s, Node ${process.version}; medians\n`)
  console.log('| server | answers/s | answers per CPU second |')
  console.log('|---|---:|---:|')
  for (const name of names) {
    const of = (key: keyof Measure): string => {
      return Math.round(median(rounds.map((round) => round.get(name)![key]))).toLocaleString('en')
    }
    console.log(`| ${name} | ${of('perSecond')} | ${of('perCpuSecond')} |`)
  }
}

/** Prints the ratios; true where none is below its bar. */
function printRatios(rounds: readonly Round[]): boolean {
  let kept = true
  console.log('\n| ratio | by the clock | by CPU time | bar |')
  console.log('|---|---:|---:|---:|')
  for (const { of, to, least } of ratios) {
    if (!rounds.every((round) => round.has(of))) continue
    const ratio = (key: keyof Measure): number => {
      return median(rounds.map((round) => round.get(of)![key] / round.get(to)![key]))
    }
    const byCpu = ratio('perCpuSecond')
    if (byCpu < (least ?? 0)) kept = false
    const bar = least === undefined ? '' : `${least.toFixed(2)}${byCpu < least ? ' missed' : ''}`
    console.log(`| ${of} / ${to} | ${ratio('perSecond').toFixed(2)} | ${byCpu.toFixed(2)} | ${bar} |`)
  }
  console.log()
  return kept
}
