/**
 * Runs test files side by side, in order: those that need a build after it, those that mostly wait beside the others, and
 * timing-sensitive ones alone at the end.
 */
import type { FileResult } from './run-file.ts'

/** The files of a run by when they may begin. */
export interface Plan {
  /** Files that need no build. */
  readonly early: readonly string[]
  /** Files that need what is built. */
  readonly late: readonly string[]
  /** Late files that use little of a processor: they run one at a time beside all others. */
  readonly waiting: readonly string[]
  /** Files that run one at a time when all others are done. */
  readonly alone: readonly string[]
}

/** How a pool does its work. */
export interface PoolOptions {
  /** Files at one time. */
  readonly jobs: number
  /** Builds what the late files need; false where that failed, and no late file begins. Takes one of the places. */
  readonly build: () => Promise<boolean>
  readonly run: (file: string) => Promise<FileResult>
}

/** Runs all files of a plan. Gives false where the build failed. */
export async function runAll(
  { early, late, waiting, alone }: Plan,
  { jobs, build, run }: PoolOptions,
): Promise<boolean> {
  const earlyFiles = early.values()
  const lateFiles = late.values()
  const waitingFiles = waiting.values()
  const work = async (files: Iterable<string>): Promise<void> => {
    for (const file of files) await run(file)
  }
  // Whoever is done first helps with the files that wait.
  const workLate = async (): Promise<void> => {
    await work(lateFiles)
    await work(waitingFiles)
  }
  const built = build()
  // The builder's place takes late files as soon as there are some; the others first finish what needs no build.
  const builder = built.then((isBuilt) => (isBuilt ? workLate() : undefined)).then(() => work(earlyFiles))
  const waiter = built.then((isBuilt) => (isBuilt ? work(waitingFiles) : undefined))
  const others = Array.from({ length: jobs - 1 }, async () => {
    await work(earlyFiles)
    if (await built) await workLate()
  })
  await Promise.all([builder, waiter, ...others])
  if (!(await built)) return false
  await work(alone)
  return true
}
