/** The counts of the conformance suites, per profile and form. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workDir } from '../../scripts/build/paths.ts'
import type { Count } from './suite.ts'

const folder = join(workDir, '.build', 'conformance')

/** Removes the counts of earlier runs. */
export function clearCounts(): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Prints the counts of this run, and why cases of a contract were not run. Prints nothing if no conformance suite ran.
 */
export function printCounts(): void {
  if (!existsSync(folder)) return
  const reasons: Record<string, number> = {}
  const rows = readdirSync(folder).flatMap((file) => {
    const counts = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Readonly<Record<string, Count>>
    return Object.entries(counts).map(([form, { passed, failed, notRun }]) => {
      for (const [reason, cases] of Object.entries(notRun)) reasons[reason] = (reasons[reason] ?? 0) + cases
      const cases = Object.values(notRun).reduce((sum, one) => sum + one, 0)
      return [file.replace(/\.json$/, ''), form, passed, failed, cases].map(String)
    })
  })
  const table = [['profile', 'form', 'passed', 'failed', 'not run'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const line = (row: string[]): string =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')
  const why = Object.entries(reasons).map(([reason, cases]) => `  ${cases} not run: ${reason}`)
  process.stdout.write(`\n${[...table.map(line), ...why].join('\n')}\n`)
}
