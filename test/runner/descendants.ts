/**
 * Samples the processor time of test files with everything that they start. A file reports the time of the processes
 * that it waited for; the bundler and the browser end unwaited, and may use most of the time of a file.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Pause between samples, in milliseconds: a sample reads one small file for each process of the machine. */
const PAUSE_MS = 500

/** proc(5): the kernel counts in ticks of 10 ms. */
const TICKS_PER_S = 100

interface Sample {
  /** The test process that started it, directly or not. */
  readonly of: number
  seconds: number
}

interface Stat {
  readonly pid: number
  readonly parent: number
  /** Distinguishes processes that have one pid after the other. */
  readonly key: string
  readonly seconds: number
}

/** Samples by process. A process keeps its test process after its parent has ended. */
const samples = new Map<string, Sample>()
const running = new Set<number>()
let timer: NodeJS.Timeout | undefined

/**
 * Begins to sample the descendants of a test process. Returns a function that ends it and gives the seconds seen so
 * far.
 */
export function sampleDescendants(root: number): () => number {
  if (process.platform !== 'linux') return () => 0
  running.add(root)
  timer ??= setInterval(takeSample, PAUSE_MS).unref()
  return () => {
    takeSample()
    running.delete(root)
    if (running.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
    let seconds = 0
    for (const [key, sample] of samples) {
      if (sample.of !== root) continue
      seconds += sample.seconds
      samples.delete(key)
    }
    return seconds
  }
}

function takeSample(): void {
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  const parents = new Map(stats.map(({ pid, parent }) => [pid, parent]))
  for (const { pid, key, seconds } of stats) {
    const of = samples.get(key)?.of ?? rootOf(pid, parents)
    if (of !== undefined) samples.set(key, { of, seconds })
  }
}

function rootOf(pid: number, parents: ReadonlyMap<number, number>): number | undefined {
  for (let one: number | undefined = pid; one !== undefined && one > 1; one = parents.get(one))
    if (running.has(one)) return one
  return undefined
}

function statOf(pid: number): Stat | undefined {
  try {
    // proc(5): pid (name) state ppid …; fields 14 and 15 are utime and stime, 22 the time of its start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S
    return { pid, parent: Number(fields[1]), key: `${pid} ${fields[19]}`, seconds }
  } catch {
    // It has ended.
    return undefined
  }
}
