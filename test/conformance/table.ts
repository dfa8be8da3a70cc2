/** The counts of the conformance suites, per profile and form. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workDir } from '../../scripts/build/paths.ts'

const folder = join(workDir, '.build', 'conformance')

/** Removes the counts of earlier runs. */
export function clearCounts(): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Prints the counts of this run. Prints nothing if no conformance suite ran. */
export function printCounts(): void {
  if (!existsSync(folder)) return
  const rows = readdirSync(folder).flatMap((file) => {
    const counts = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<
      string,
      { passed: number; failed: number; skipped: number }
    >
    return Object.entries(counts).map(([form, { passed, failed, skipped }]) =>
      [file.replace(/\.json$/, ''), form, passed, failed, skipped].map(String),
    )
  })
  const table = [['profile', 'form', 'passed', 'failed', 'skipped'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const line = (row: string[]): string =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')
  process.stdout.write(`\n${table.map(line).join('\n')}\n`)
}
