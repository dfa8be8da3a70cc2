/** docs/reach.md: the table of runtimes and entries, with the reason of each cell that has no suite. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/build/paths.ts'
import { type Cell, cells, type Outcome } from './cells.ts'
import { causeOf } from './known.ts'
import type { Runtime } from './runtimes/runtime.ts'

/** The page that has the table. */
export const page: string = join(root, 'docs/reach.md')

const BEGIN = '<!-- table: generated, make reach renews it -->'
const END = '<!-- /table -->'

/** One row with its outcomes, by the id of the cell. */
export interface Row {
  readonly runtime: Runtime
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** The text of the table. */
export function tableText(rows: readonly Row[]): string {
  const reasons: string[] = []
  const note = (reason: string): string => {
    if (!reasons.includes(reason)) reasons.push(reason)
    return `[${reasons.indexOf(reason) + 1}]`
  }
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
    ...reasons.map((reason, at) => `${at + 1}. ${reason[0]!.toUpperCase()}${reason.slice(1)}.`),
  ].join('\n')
}

/** The page with a new table. */
export function pageWith(table: string): string {
  const [before, rest] = readFileSync(page, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table`)
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`
}

/** The lines of the table that the page has, by the first two columns. */
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
