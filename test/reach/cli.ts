/** `make reach`: installs the runtimes, runs every entry on each, and writes the table into docs/reach.md. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workDir } from '../../scripts/build/paths.ts'
import { unpacked } from './project.ts'
import { runRow, surprises } from './run-cells.ts'
import { installRuntimes } from './runtimes/installed.ts'
import { page, pageWith, type Row, tableText } from './table.ts'

if (unpacked !== undefined) throw new Error(unpacked)
installRuntimes()
// After the installation, because these modules look for the programs.
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
writeFileSync(page, pageWith(tableText(rows)))
console.log('→ docs/reach.md')
const problems = rows.flatMap(surprises)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
