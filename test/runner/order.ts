/** The order of the test files: the longest first, timing-sensitive ones alone at the end. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Shard } from './arguments.ts'
import type { FileResult } from './run-file.ts'

/** Seconds of files, by path. */
export type Times = Readonly<Record<string, number>>

/** A file without a known time comes after the long ones and before the short ones. */
const UNKNOWN_S = 5

/** What a test file says that fails beside others, with the reason behind it. */
const ALONE = /^\/\/ Runs alone: \S/m

/** The times that are committed, for a folder in which nothing ran yet. `make test-times` renews them. */
const committed = join(import.meta.dirname, 'times.json')

/** Reads the times of earlier runs; those of `kept` come before the committed ones. */
export function readTimes(kept: string): Times {
  return { ...parse(committed), ...parse(kept) }
}

/** Writes the times of a run beside those of files that did not run. Files that failed keep their former time. */
export function writeTimes(kept: string, results: readonly FileResult[]): void {
  const seconds = results
    .filter(({ failed }) => failed === 0)
    .map(({ file, durationMs }) => [file, Math.round(durationMs / 100) / 10] as const)
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, `${JSON.stringify({ ...parse(kept), ...Object.fromEntries(seconds) }, undefined, 2)}\n`)
}

/** Files with the longest first. */
export function longestFirst(files: readonly string[], times: Times): string[] {
  return [...files].sort((a, b) => secondsOf(b, times) - secondsOf(a, times) || (a < b ? -1 : 1))
}

/** The files of one shard. Each file goes to the shard that has the least to do so far, so that all end at about one time. */
export function filesOf(files: readonly string[], times: Times, { index, of }: Shard): string[] {
  const shards = Array.from({ length: of }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of longestFirst(files, times)) {
    const least = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    least.files.push(file)
    least.seconds += secondsOf(file, times)
  }
  return shards[index - 1]?.files ?? []
}

/** Whether a test file measures time, so that nothing may run beside it. */
export function runsAlone(text: string): boolean {
  return ALONE.test(text)
}

function secondsOf(file: string, times: Times): number {
  return times[file] ?? UNKNOWN_S
}

/** The times of a file. A file that is missing or damaged has none: the order is not worth a failed run. */
function parse(file: string): Times {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  } catch {
    return {}
  }
}
