/** Runs test files side by side, in order, with those that need a build behind it and timing-sensitive ones alone at the end. */
import type { FileResult } from './run-file.ts'

/** The files of a run by when they may begin. */
export interface Plan {
  /** Files that need no build. */
  readonly early: readonly string[]
  /** Files that need what is built. */
  readonly late: readonly string[]
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
export async function runAll({ early, late, alone }: Plan, { jobs, build, run }: PoolOptions): Promise<boolean> {
  const earlyFiles = early.values()
  const lateFiles = late.values()
  const work = async (files: Iterable<string>): Promise<void> => {
    for (const file of files) await run(file)
  }
  const built = build()
  // The builder's place takes late files as soon as there are some; the others first finish what needs no build.
  const builder = built.then((isBuilt) => (isBuilt ? work(lateFiles) : undefined)).then(() => work(earlyFiles))
  const others = Array.from({ length: jobs - 1 }, async () => {
    await work(earlyFiles)
    if (await built) await work(lateFiles)
  })
  await Promise.all([builder, ...others])
  if (!(await built)) return false
  await work(alone)
  return true
}
