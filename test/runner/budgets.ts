/**
 * How much processor time each folder of tests may take. A folder that takes more fails the run, so that growth is
 * written down here. Processor time of the files and of what they started: a busy machine does not change it much.
 */
import type { FileResult } from './run-file.ts'

/** Seconds by folder: two to four times of what each took when its number was written. */
const budgets: Readonly<Record<string, number>> = {
  'test/architecture': 40,
  'test/conformance': 220,
  'test/docs': 260,
  'test/e2e': 150,
  'test/e2e/cluster': 420,
  'test/e2e/configure': 140,
  'test/e2e/console': 420,
  'test/e2e/kbd': 120,
  'test/e2e/peer': 160,
  'test/e2e/realtime': 120,
  'test/e2e/sync': 220,
  'test/e2e/transport': 190,
  'test/fuzz': 90,
  'test/hostile': 260,
  'test/proof': 380,
  'test/quality': 160,
  'test/reach': 90,
  'test/simulation': 90,
  'test/toolkit': 340,
  'test/unit/kbd': 120,
  'test/unit/sync': 130,
}

/** Seconds of a folder that is not named above. */
const DEFAULT_S = 90

/** What a folder took. */
export interface Spent {
  readonly folder: string
  readonly files: number
  /** Seconds by the clock, of all files together. */
  readonly seconds: number
  /** Seconds of processor time; files without a measured one count as none. */
  readonly processorS: number
  readonly budgetS: number
}

/** What each folder took, the most expensive first. */
export function spentBy(
  results: readonly FileResult[],
  limits: Readonly<Record<string, number>> = budgets,
): readonly Spent[] {
  const folders = new Map<string, Spent>()
  for (const { file, durationMs, processorS = 0 } of results) {
    const folder = folderOf(file)
    const before = folders.get(folder)
    folders.set(folder, {
      folder,
      files: (before?.files ?? 0) + 1,
      seconds: (before?.seconds ?? 0) + durationMs / 1_000,
      processorS: (before?.processorS ?? 0) + processorS,
      budgetS: limits[folder] ?? DEFAULT_S,
    })
  }
  return [...folders.values()].sort((a, b) => b.processorS - a.processorS)
}

/** Problems of folders that took more than their budget. */
export function overBudget(spent: readonly Spent[]): readonly string[] {
  return spent
    .filter(({ processorS, budgetS }) => processorS > budgetS)
    .map(
      ({ folder, processorS, budgetS }) =>
        `${folder} took ${processorS.toFixed(0)} s of processor time, its budget is ${budgetS} s (test/runner/budgets.ts)`,
    )
}

/** The folder that a file's time is counted for: `test/fuzz`, and one deeper in `test/unit/kbd` and `test/e2e/kbd`. */
function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1)
  return parts.slice(0, ['unit', 'e2e'].includes(parts[1] ?? '') ? 3 : 2).join('/')
}
