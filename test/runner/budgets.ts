/**
 * How much processor time each folder of tests may take. A folder that takes more fails the run, so that growth is written down
 * here. Processor time of the files and of the processes they waited for: a busy machine does not change it much.
 */
import type { FileResult } from './run-file.ts'

/** Seconds by folder; about twice what each took on the machine of {@link DEFAULT_S}. */
const budgets: Readonly<Record<string, number>> = {}

/** Seconds of a folder that is not named above. */
const DEFAULT_S = 60

/** Problems of folders that took more than their budget. Files without a measured time count as none. */
export function overBudget(
  results: readonly FileResult[],
  limits: Readonly<Record<string, number>> = budgets,
): readonly string[] {
  const spent = new Map<string, number>()
  for (const { file, processorS = 0 } of results) {
    const folder = folderOf(file)
    spent.set(folder, (spent.get(folder) ?? 0) + processorS)
  }
  return [...spent]
    .filter(([folder, seconds]) => seconds > (limits[folder] ?? DEFAULT_S))
    .map(
      ([folder, seconds]) =>
        `${folder} took ${seconds.toFixed(0)} s of processor time, its budget is ${limits[folder] ?? DEFAULT_S} s ` +
        '(test/runner/budgets.ts)',
    )
}

/** The folder that a file's time is counted for: `test/fuzz`, and one deeper in `test/unit/kbd` and `test/e2e/kbd`. */
export function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1)
  return parts.slice(0, ['unit', 'e2e'].includes(parts[1] ?? '') ? 3 : 2).join('/')
}
