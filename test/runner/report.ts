/** The runner's words for what happened. */
import type { FileResult } from './run-file.ts'

/** The table: one line a file. */
export function toTable(results: readonly FileResult[]): string {
  const rows = results.map((result) => [
    result.file,
    String(result.passed),
    String(result.failed),
    String(result.skipped),
    `${(result.durationMs / 1_000).toFixed(1)} s`,
  ])
  const head = ['file', 'passed', 'failed', 'skipped', 'time']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')
  return [head, ...rows].map(line).join('\n')
}

/** What a failed file wrote and what is wrong with it; empty for one that passed. */
export function toDetails(result: FileResult): string {
  if (result.failed === 0) return ''
  const problems = result.problems.map((problem) => `  ${problem}\n`).join('')
  return `\n=== ${result.file}\n${result.output.trim()}\n${problems}`
}

/** What was tried again and what was left out, each with its reason. */
export function toNotes(results: readonly FileResult[]): string {
  const notes = (kind: 'retries' | 'skips', word: string): string[] =>
    results.flatMap((result) => result[kind].map((reason) => `${word}: ${result.file}: ${reason}`))
  return [...notes('retries', 'tried again'), ...notes('skips', 'skipped')].join('\n')
}

/** The last line: `12 passed, 0 failed`, and `, 1 skipped` where some were. */
export function toSummary(results: readonly FileResult[]): string {
  const sum = (of: (result: FileResult) => number): number => results.reduce((total, result) => total + of(result), 0)
  const skipped = sum((result) => result.skipped)
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
