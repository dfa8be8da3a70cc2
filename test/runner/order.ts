/** What is known of the test files before they run: how long each takes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Shard } from './arguments.ts'
import type { FileResult } from './run-file.ts'

/** How long a file takes, in seconds, and how much of that a processor works for it. */
export interface Time {
  readonly seconds: number
  readonly processorS?: number
}

/** Times of files, by path. */
export type Times = Readonly<Record<string, Time>>

/** A file without a known time comes after the long ones and before the short ones. */
const UNKNOWN_S = 5

/** The times that are committed, for a folder in which nothing ran yet. `make test-times` renews them. */
const committed = join(import.meta.dirname, 'times.json')

/** Reads the times of earlier runs; those of `kept` come before the committed ones. */
export function readTimes(kept: string): Times {
  return { ...parse(committed), ...parse(kept) }
}

/** Writes the times of a run beside those of files that did not run. Files that failed keep their former time. */
export function writeTimes(kept: string, results: readonly FileResult[]): void {
  const rounded = (seconds: number): number => Math.round(seconds * 10) / 10
  const taken = results
    .filter(({ failed }) => failed === 0)
    .map(({ file, durationMs, processorS }): readonly [string, Time] => {
      const seconds = rounded(durationMs / 1_000)
      return [file, processorS === undefined ? { seconds } : { seconds, processorS: rounded(processorS) }]
    })
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, toText({ ...parse(kept), ...Object.fromEntries(taken) }))
}

/** The text of a file of times: one line for each test file. */
export function toText(times: Times): string {
  const lines = Object.entries(times).map(([file, time]) => `  ${JSON.stringify(file)}: { ${membersOf(time)} }`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Files with the longest first. */
export function longestFirst(files: readonly string[], times: Times): string[] {
  return [...files].sort((a, b) => secondsOf(b, times) - secondsOf(a, times) || (a < b ? -1 : 1))
}

/**
 * The files of one shard. Each file goes to the shard that has the least to do so far. Every machine must divide the
 * files in the same way, so only committed times count.
 */
export function filesOfShard(
  files: readonly string[],
  { index, of }: Shard,
  times: Times = parse(committed),
): string[] {
  const shards = Array.from({ length: of }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of longestFirst(files, times)) {
    const least = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    least.files.push(file)
    least.seconds += secondsOf(file, times)
  }
  return shards[index - 1]?.files ?? []
}

function membersOf(time: Time): string {
  return Object.entries(time)
    .map(([name, value]) => `${JSON.stringify(name)}: ${value}`)
    .join(', ')
}

function secondsOf(file: string, times: Times): number {
  return times[file]?.seconds ?? UNKNOWN_S
}

/** The times of a file. A file that is missing or damaged has none: the order is not worth a failed run. */
function parse(file: string): Times {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, Time] => {
        const seconds = (entry[1] as Partial<Time> | null)?.seconds
        return typeof seconds === 'number'
      }),
    )
  } catch {
    return {}
  }
}
