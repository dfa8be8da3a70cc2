/** docs/reach.md: the table of runtimes and entries, with the reason of each cell that was not run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../../scripts/build/paths.ts'
import type { BundleOutcome, BundleRun, Bundler } from './bundlers.ts'
import { type Cell, cellOf, cells, type Outcome } from './cells.ts'
import { bundleCauseOf, causeOf } from './known.ts'
import type { PackageCheck } from './package-checks.ts'
import type { Runtime } from './runtimes/runtime.ts'

/** The page with the table. */
export const page: string = join(root, 'docs/reach.md')

const BEGIN = '<!-- table: generated, make reach renews it -->'
const END = '<!-- /table -->'
const BEGIN_CHECKS = '<!-- checks: generated, make reach renews it -->'
const BEGIN_BUNDLERS = '<!-- bundlers: generated, make reach renews it -->'

/** The entries that are bundled. */
export const bundledCells: readonly Cell[] = ['minimal', 'client', 'embedded'].map(cellOf)

/** One row with its outcomes, by the id of the cell. */
export interface Row {
  readonly runtime: Runtime
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** The text of the table. */
export function tableText(rows: readonly Row[]): string {
  const { reasons, note } = createNotes()
  const cellText = (runtime: Runtime, cell: Cell, outcome: Outcome): string => {
    if ('left' in outcome) return `– ${note(outcome.left)}`
    const count = `${outcome.passed} of ${outcome.of}`
    return outcome.passed === outcome.of
      ? count
      : `**${count}** ${note(causeOf(runtime, cell) ?? outcome.problems[0]!)}`
  }
  const lines = rows.map(({ runtime, outcomes }) => {
    const found = cells.map((cell) => cellText(runtime, cell, outcomes.get(cell.id)!))
    return `| ${runtime.title} | ${runtime.version} | ${found.join(' | ')} |`
  })
  return [
    `| runtime | version | ${cells.map(({ title }) => title).join(' | ')} |`,
    `|---|---|${cells.map(() => '---|').join('')}`,
    ...lines,
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason[0]!.toUpperCase()}${reason.slice(1)}.`),
  ].join('\n')
}

/** The numbered reasons below a table, without duplicates. `note` returns the mark of a reason. */
function createNotes(): { readonly reasons: readonly string[]; note(reason: string): string } {
  const reasons: string[] = []
  return {
    reasons,
    note(reason) {
      if (!reasons.includes(reason)) reasons.push(reason)
      return `[${reasons.indexOf(reason) + 1}]`
    },
  }
}

/** The first sentence of a warning, without colours and without a leading plugin name. */
function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text).split('\n')
  const found = lines.find((line) => /[a-z]{3}/i.test(line) && !line.startsWith('[')) ?? lines[0]!
  return `${/^[^.]*/.exec(found)![0].trim()}.`
}

/** One row of the table of bundlers, by the id of the cell. */
export interface BundlerRow {
  readonly bundler: Bundler
  readonly outcomes: ReadonlyMap<string, BundleOutcome>
}

/** The text of the table of bundlers. */
export function bundlersText(rows: readonly BundlerRow[]): string {
  const { reasons, note } = createNotes()
  const cellText = ({ bundler, outcomes }: BundlerRow, cell: Cell): string => {
    const { minified, plain } = outcomes.get(cell.id)!
    const half = ({ passed, of, gzipBytes, warnings, problems }: BundleRun): string => {
      if (passed < of) return `**${passed} of ${of}** ${note(bundleCauseOf(bundler, cell) ?? problems[0]!)}`
      const warning = warnings === '' ? '' : ` ${note(`It warns: ${firstLine(warnings)}`)}`
      return `${of} of ${of}, ${(gzipBytes / 1_000).toFixed(0)} kB${warning}`
    }
    return `${half(minified)}; ${half(plain)}`
  }
  return [
    `| bundler | version | ${bundledCells.map(({ title }) => title).join(' | ')} |`,
    `|---|---|${bundledCells.map(() => '---|').join('')}`,
    ...rows.map(
      (row) =>
        `| ${row.bundler.title} | ${row.bundler.version} | ${bundledCells.map((cell) => cellText(row, cell)).join(' | ')} |`,
    ),
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
  ].join('\n')
}

/** The text of the table of checks. */
export function checksText(checks: readonly PackageCheck[]): string {
  const rows = checks.map(({ title, version, looksAt, problems }) => {
    const found = problems.length === 0 ? 'nothing to say' : `**${problems.join('; ')}**`
    return `| ${title} | ${version} | ${looksAt} | ${found} |`
  })
  return ['| check | version | what it looks at | what it says |', '|---|---|---|---|', ...rows].join('\n')
}

/** The page with new tables. */
export function pageWith(table: string, bundlers: string, checks: string): string {
  const text = readFileSync(page, 'utf8')
  return replaced(replaced(replaced(text, BEGIN, table), BEGIN_BUNDLERS, bundlers), BEGIN_CHECKS, checks)
}

function replaced(text: string, begin: string, table: string): string {
  const [before, rest] = text.split(begin)
  const at = rest?.indexOf(END) ?? -1
  if (before === undefined || rest === undefined || at < 0) throw new Error(`${page} has no place for ${begin}`)
  return `${before}${begin}\n\n${table}\n\n${rest.slice(at)}`
}

/** The lines of the table on the page, by the first two columns. */
export function linesOfPage(): ReadonlyMap<string, readonly string[]> {
  const table = readFileSync(page, 'utf8').split(BEGIN)[1]?.split(END)[0] ?? ''
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| runtime '))
  return new Map(
    rows.map((line) => {
      const [title, version, ...found] = line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim())
      return [`${title} ${version}`, found]
    }),
  )
}
