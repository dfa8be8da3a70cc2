/**
 * Measures a start, from the process to its first 200, against bare Node: time, CPU time and memory. Rounds are
 * interleaved, and the median of each contestant is compared.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../build/paths.ts'
import { median } from '../statistics.ts'
import { type Cost, startBare, startService } from './start.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 21)

/** Highest allowed start time of an executable, as a multiple of `node -e 0`. */
const MOST_OF_BARE = { minimal: 2, 'server-full': 2.8 } as const

/**
 * Highest allowed memory of a start, as a multiple of bare Node: the values from before lazy loading and the code
 * cache.
 */
const MOST_MEMORY = {
  'minimal executable': 1.73,
  'minimal svc.mjs': 2.25,
  'server-full executable': 2.6,
  'server-full svc.mjs': 3.7,
} as const

const BARE = 'node -e 0'
const profiles = ['minimal', 'server-full'] as const

interface Contestant {
  readonly name: string
  start(): Promise<Cost>
}

interface Bar {
  readonly text: string
  readonly value: number
  readonly most: number
}

/** Runs the comparison. Returns true if every bar is met. */
export async function benchStartup(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const costs = new Map<string, Cost[]>()
  const contestants = all(folder)
  try {
    for (const { start } of contestants) await start()
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, start } of contestants) costs.set(name, [...(costs.get(name) ?? []), await start()])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const of = (name: string, what: keyof Cost): number => median((costs.get(name) ?? []).map((cost) => cost[what]))
  const multiple = (name: string, what: keyof Cost): number => of(name, what) / of(BARE, what)

  console.log(`start, process to first 200; medians of ${ROUNDS} interleaved rounds, in brackets multiples of ${BARE}`)
  console.log(
    `${''.padEnd(24)} ${['time', 'processor time', 'memory of its own'].map((title) => title.padStart(18)).join(' ')}`,
  )
  for (const { name } of contestants) {
    const cell = (what: keyof Cost, unit: string): string =>
      `${of(name, what).toFixed(0)} ${unit} (${multiple(name, what).toFixed(2)})`.padStart(18)
    console.log(`${name.padEnd(24)} ${cell('timeMs', 'ms')} ${cell('processorMs', 'ms')} ${cell('memoryMib', 'MiB')}`)
  }
  const bars = barsOf((name) => costs.has(name), multiple)
  console.log('')
  for (const { text, value, most } of bars)
    console.log(`bar: ${text} ≤ ${most}: ${value.toFixed(2)} ${value <= most ? 'kept' : 'MISSED'}`)
  for (const profile of profiles)
    if (!costs.has(`${profile} executable`))
      console.log(`${profile} executable: not built (make binary), so its bars are MISSED`)
  return (
    profiles.every((profile) => costs.has(`${profile} executable`)) && bars.every(({ value, most }) => value <= most)
  )
}

function all(folder: string): Contestant[] {
  return [
    { name: BARE, start: startBare },
    ...profiles.flatMap((profile) => {
      const dist = join(root, 'dist', profile)
      const script = {
        name: `${profile} svc.mjs`,
        start: () => startService(process.execPath, [join(dist, 'svc.mjs')], folder),
      }
      const file = join(dist, 'svc')
      return existsSync(file)
        ? [{ name: `${profile} executable`, start: () => startService(file, [], folder) }, script]
        : [script]
    }),
  ]
}

function barsOf(ran: (name: string) => boolean, multiple: (name: string, what: keyof Cost) => number): Bar[] {
  return profiles
    .filter((profile) => ran(`${profile} executable`))
    .flatMap((profile): Bar[] => {
      const [executable, script] = [`${profile} executable`, `${profile} svc.mjs`] as const
      return [
        { text: `${executable}, time of ${BARE}`, value: multiple(executable, 'timeMs'), most: MOST_OF_BARE[profile] },
        ...([executable, script] as const).map((name) => ({
          text: `${name}, memory of ${BARE}`,
          value: multiple(name, 'memoryMib'),
          most: MOST_MEMORY[name],
        })),
      ]
    })
}
