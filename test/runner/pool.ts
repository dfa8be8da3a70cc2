/**
 * Runs test files side by side, in order. Many files wait most of their time, for limits or for other processes; so
 * another file begins whenever the processors are not busy all the time. Files that need the build start after it.
 */

/** Files that share a process. Most files are alone. */
type Group = readonly string[]

/** The files of a run by when they may begin. */
export interface Plan {
  /** Files that may begin before the build ends. Empty if nothing is built. */
  readonly early: readonly Group[]
  /** Files that begin after the build. */
  readonly late: readonly Group[]
}

/** How a pool does its work. */
export interface PoolOptions {
  /** Files at one time, however busy the processors are. With 1 there are never more. */
  readonly jobs: number
  /** Builds what files need, in one of the places. Returns false if that failed; then only early files run. */
  readonly build: () => Promise<boolean>
  readonly run: (files: Group) => Promise<void>
  /** The share of the time since its last call in which the processors had nothing to do, from 0 to 1. */
  readonly idleShare: () => number
  /** Milliseconds between two looks at the processors. A file that began at the last look is at work by then. */
  readonly lookMs: number
}

/** Another file begins if the processors had nothing to do for more than this share of the time. */
const IDLE_SHARE = 0.08

/**
 * Most files at one time, as a multiple of `jobs`: each may take a gigabyte of memory, and files that waited may all go
 * on at once.
 */
const MOST = 2

/** Runs all files of a plan. Gives false where the build failed. */
export async function runAll(
  { early, late }: Plan,
  { jobs, build, run, idleShare, lookMs }: PoolOptions,
): Promise<boolean> {
  const waiting = { early: [...early], late: [...late] }
  let built: boolean | undefined
  let running = 0
  let timer: NodeJS.Timeout | undefined
  const all = new Promise<boolean>((resolve, reject) => {
    // Late files come first, because they are the longer ones.
    const next = (): Group | undefined => (built === true ? waiting.late.shift() : undefined) ?? waiting.early.shift()
    const begin = (work: Promise<unknown>): void => {
      running++
      work.then(() => {
        running--
        fill(jobs)
      }, reject)
    }
    const fill = (places: number): void => {
      while (running < places) {
        const group = next()
        if (group === undefined) break
        begin(run(group))
      }
      if (running === 0) resolve(built === true)
    }
    timer = setInterval(() => {
      if (idleShare() > IDLE_SHARE && jobs > 1) fill(Math.min(running + 1, MOST * jobs))
    }, lookMs)
    begin(build().then((isDone) => (built = isDone)))
    fill(jobs)
  })
  return all.finally(() => clearInterval(timer))
}
