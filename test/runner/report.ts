/** Formats results for the output of the runner. */
import type { Spent } from './budgets.ts'
import type { FileResult } from './run-file.ts'
import { plain } from './verdict.ts'

/** The number of files in the list of the slowest. */
const SLOWEST = 20

/** The number of failures that are listed, and the characters of each text of one. */
const FAILURES = 20
const CLIP = 200

/** The table: one line for each file. */
export function toTable(results: readonly FileResult[]): string {
  const rows = results.map((result) => [
    result.file,
    String(result.passed),
    String(result.failed),
    String(result.skipped),
    seconds(result.durationMs / 1_000),
    result.processorS === undefined ? '-' : seconds(result.processorS),
  ])
  return toColumns([['file', 'passed', 'failed', 'skipped', 'time', 'processor'], ...rows])
}

/** The time of each folder, one line per folder. Returns an empty string for a single folder. */
export function toFolders(spent: readonly Spent[]): string {
  if (spent.length < 2) return ''
  const rows = spent.map(({ folder, files, seconds: time, processorS, budgetS }) => [
    folder,
    String(files),
    seconds(time),
    seconds(processorS),
    `${budgetS} s`,
  ])
  return toColumns([['folder', 'files', 'time', 'processor', 'budget'], ...rows])
}

/**
 * The slowest files, with their share of the total time. Returns an empty string if few files ran, because the table
 * shows them.
 */
export function toSlowest(results: readonly FileResult[]): string {
  if (results.length <= SLOWEST) return ''
  const sumMs = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const rows = [...results]
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, SLOWEST)
    .map(({ file, durationMs }) => {
      const share = `${((100 * durationMs) / sumMs).toFixed(1)} %`
      return `${seconds(durationMs / 1_000).padStart(9)}  ${share.padStart(6)}  ${file}`
    })
  return [`the ${SLOWEST} slowest of ${results.length} files (${seconds(sumMs / 1_000)} together)`, ...rows].join('\n')
}

/** The output of a failed file and its problems. Returns an empty string for a file that passed. */
export function toDetails(result: FileResult): string {
  if (result.failed === 0) return ''
  const problems = result.problems.map((problem) => `  ${problem}\n`).join('')
  return `\n=== ${result.file}\n${result.output.trim()}\n${problems}`
}

/** One line for each failed test and for each other problem of a file: the end of a long output is read first. */
export function toFailures(results: readonly FileResult[]): string {
  const lines = results
    .filter(({ failed }) => failed > 0)
    .flatMap(({ file, output, problems }) => [
      ...failedTests(plain(output)).map((test) => `failed: ${file}: ${test}`),
      ...problems.map((problem) => `failed: ${file}: ${clip(problem)}`),
    ])
  const others = lines.length - FAILURES
  return (others > 0 ? [...lines.slice(0, FAILURES), `failed: and ${others} more`] : lines).join('\n')
}

/** The failed tests in the output of uvu: the name, the beginning of the message, the comparison, and the place. */
function failedTests(output: string): string[] {
  return output
    .split(/^ {3}FAIL {2}/m)
    .slice(1)
    .map((block) => {
      const [name = '', ...others] = block.split('\n')
      const message = others.find((line) => line.trim() !== '') ?? ''
      const compared = ['Expected', 'Actual'].flatMap((side) => {
        const value = sideOf(side, block)
        return value === '' ? [] : [`${side.toLowerCase()} ${clip(value)}`]
      })
      const place = /^ {4}at .*?\/([^/\s]+\.test\.m?[jt]s:\d+)/m.exec(block)?.[1]
      const notes = [...compared, ...(place === undefined ? [] : [`at ${place}`])].join(', ')
      return `${clip(name)}: ${clip(message.trim())}${notes === '' ? '' : ` (${notes})`}`
    })
}

/**
 * What a comparison says of one side. Of values of one line, uvu writes the value and the side after it; of others, the
 * side as a title, and below it the lines, where `++` and `--` mark those that differ.
 */
function sideOf(side: string, block: string): string {
  const short = new RegExp(`^ +(?:\\+\\+|--|··)(.*?) +(?:\\[\\w+\\] +)?\\(${side}\\)$`, 'm').exec(block)?.[1]
  if (short !== undefined) return short
  const lines = block.split('\n').filter((line) => new RegExp(`^ +${side === 'Expected' ? '\\+\\+' : '--'}`).test(line))
  return lines
    .map((line) => line.replace(/^ +(\+\+|--)·*/, ''))
    .join(' ')
    .replaceAll('·', ' ')
    .replace(/,$/, '')
}

/** The beginning of a long text. */
function clip(text: string): string {
  return text.length > CLIP ? `${text.slice(0, CLIP)}…` : text
}

/** The retries, the skips, and what tests left out, each with its reason. */
export function toNotes(results: readonly FileResult[]): string {
  const notes = (kind: 'retries' | 'skips' | 'leftOut', word: string): string[] =>
    results.flatMap((result) => result[kind].map((reason) => `${word}: ${result.file}: ${reason}`))
  return [...notes('retries', 'tried again'), ...notes('skips', 'skipped'), ...notes('leftOut', 'left out')].join('\n')
}

/**
 * The last line: `12 passed, 0 failed`, and `, 1 skipped` if tests were skipped. `more` counts failures that belong to
 * no file.
 */
export function toSummary(results: readonly FileResult[], more = 0): string {
  const sum = (of: (result: FileResult) => number): number => results.reduce((total, result) => total + of(result), 0)
  const skipped = sum((result) => result.skipped)
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed) + more} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}

/** Columns of equal width: the first to the left, the others to the right. */
function toColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return rows.map(line).join('\n')
}
