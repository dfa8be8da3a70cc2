/** Runs test files side by side, in order. Files that need the build start after it, and mostly idle files have an extra place. */
import type { FileResult } from './run-file.ts'

/** The files of a run by when they may begin. */
export interface Plan {
  /** Files that may begin before the build ends. Empty if nothing is built. */
  readonly early: readonly string[]
  /** Files that begin after the build. */
  readonly late: readonly string[]
  /** Files that begin after the build, and use a processor for only a small part of their time. */
  readonly idle: readonly string[]
}

/** How a pool does its work. */
export interface PoolOptions {
  /** Files at one time. Above 1, one mostly idle file runs in addition. */
  readonly jobs: number
  /** Builds what files need, in one of the places. Returns false if that failed; then only early files run. */
  readonly build: () => Promise<boolean>
  readonly run: (file: string) => Promise<FileResult>
}

/** Runs all files of a plan. Gives false where the build failed. */
export async function runAll({ early, late, idle }: Plan, { jobs, build, run }: PoolOptions): Promise<boolean> {
  // Each file is taken once, by the place that is free first.
  const earlyFiles = early.values()
  const lateFiles = late.values()
  const idleFiles = idle.values()
  const work = async (files: Iterable<string>): Promise<void> => {
    for (const file of files) await run(file)
  }
  const workLate = async (): Promise<void> => {
    await work(lateFiles)
    await work(idleFiles)
  }
  const built = build()
  // The place that built takes late files first; the others first take what may begin early.
  const builder = built.then((isBuilt) => (isBuilt ? workLate() : undefined)).then(() => work(earlyFiles))
  const extra = built.then((isBuilt) => (isBuilt && jobs > 1 ? work(idleFiles) : undefined))
  const others = Array.from({ length: jobs - 1 }, async () => {
    await work(earlyFiles)
    if (await built) await workLate()
  })
  await Promise.all([builder, extra, ...others])
  return built
}
