/** `make reach`: installs the runtimes, runs every entry on each, and writes the table into docs/reach.md. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { targetRuntime } from '../../scripts/binary/cross/target-runtime.ts'
import { workDir } from '../../scripts/build/paths.ts'
import type { BundleOutcome } from './bundlers.ts'
import { bundleCauseOf } from './known.ts'
import { checkPackage } from './package-checks.ts'
import { makeProject, unpacked } from './project.ts'
import { runRow, surprises } from './run-cells.ts'
import { installRuntimes } from './runtimes/installed.ts'
import {
  type BundlerRow,
  bundledCells,
  bundlersText,
  checksText,
  page,
  pageWith,
  type Row,
  tableText,
} from './table.ts'

if (unpacked !== undefined) throw new Error(unpacked)
installRuntimes()
// Downloads the Node with which test/e2e/cross-executable.test.ts builds an executable.
targetRuntime('linux-arm64')
// Imported after the installation, because these modules look for the programs.
const { runtimes } = await import('./runtimes/all.ts')
const rows: Row[] = []
for (const runtime of runtimes) {
  const row = await runRow(runtime, join(workDir, '.build', 'reach', 'projects'))
  rows.push(row)
  const counts = [...row.outcomes].map(
    ([id, found]) => `${id} ${'left' in found ? '–' : `${found.passed}/${found.of}`}`,
  )
  console.log(`${runtime.title} ${runtime.version}: ${runtime.absent ?? counts.join(', ')}`)
}
const { bundleCell, bundlers } = await import('./bundlers.ts')
const bundlerRows: BundlerRow[] = []
const problems = rows.flatMap(surprises)
for (const bundler of bundlers) {
  const outcomes = new Map<string, BundleOutcome>()
  for (const cell of bundledCells) {
    const outcome = await bundleCell(bundler, cell, join(workDir, '.build', 'reach', 'projects', 'bundled'))
    outcomes.set(cell.id, outcome)
    const { minified, plain } = outcome
    if (bundleCauseOf(bundler, cell) === undefined)
      problems.push(
        ...[...plain.problems, ...minified.problems]
          .slice(0, 1)
          .map((one) => `${bundler.title}, ${cell.title}: ${one}`),
      )
  }
  bundlerRows.push({ bundler, outcomes })
  console.log(
    `${bundler.title} ${bundler.version}: ${[...outcomes].map(([id, { minified }]) => `${id} ${minified.passed}/${minified.of}`).join(', ')}`,
  )
}
const checks = await checkPackage(makeProject(join(workDir, '.build', 'reach', 'projects', 'checked')))
problems.push(...checks.flatMap(({ title, problems: said }) => said.map((one) => `${title}: ${one}`)))
writeFileSync(page, pageWith(tableText(rows), bundlersText(bundlerRows), checksText(checks)))
console.log('→ docs/reach.md')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
