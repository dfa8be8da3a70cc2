/**
 * Runs the packed library on each available runtime: one entry in `make test`, all entries in `make test-deep`. The
 * table of docs/reach.md must show the same results.
 */
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countOf } from '../support/count.ts'
import { folderWith } from '../support/folder.ts'
import { skip, testDeep, testUnless } from '../support/skip.ts'
import { bundleCell, bundlers } from './bundlers.ts'
import { type Cell, cellOf, cells } from './cells.ts'
import { bundleCauseOf } from './known.ts'
import { checkPackage } from './package-checks.ts'
import { makeProject, unpacked } from './project.ts'
import { runRow, surprises } from './run-cells.ts'
import { runtimes } from './runtimes/all.ts'
import { serviceWorker, strictPage } from './runtimes/chromium.ts'
import type { Runtime } from './runtimes/runtime.ts'
import { bundledCells, checksText, linesOfPage, page as reachPage } from './table.ts'

const test = suite('reach')
const page = linesOfPage()

/**
 * The entry that a runtime is tested with in the short form: the entry with the most steps that the runtime supports.
 */
function shortForm(runtime: Runtime): readonly Cell[] {
  const first = ['minimal', 'single', 'embedded', 'native', 'vectors'].map(cellOf)
  return [first.find((cell) => runtime.left(cell) === undefined)!]
}

for (const reason of new Set(runtimes.flatMap(({ absent }) => absent ?? []))) {
  const missing = runtimes.filter(({ absent }) => absent === reason)
  skip(test, missing.map(({ title, version }) => `${title} ${version}`).join(', '), reason)
}

for (const runtime of runtimes.filter(({ absent }) => absent === undefined)) {
  testUnless(test, unpacked, `${runtime.title} ${runtime.version}`, async () => {
    const all = countOf({ quick: 1, deep: cells.length }) === 1 ? shortForm(runtime) : cells
    const row = await runRow(runtime, folderWith(), all)
    assert.equal(surprises(row), [])
    const line = lineOf(runtime)
    for (const cell of all) {
      const outcome = row.outcomes.get(cell.id)!
      const found = line[cells.indexOf(cell)]!
      const expected = 'left' in outcome ? '–' : `${outcome.passed} of ${outcome.of}`
      assert.ok(found.includes(expected), `docs/reach.md has "${found}" for ${cell.title}: make reach renews it`)
    }
  })
}

testUnless(
  test,
  unpacked ?? serviceWorker.absent,
  'in a service worker, the error of svc/minimal names svc/minimal/single',
  async () => {
    const [, start] = await serviceWorker.run(cellOf('minimal'), makeProject(folderWith()))
    assert.match(start?.problem ?? '', /^ERR_PART_UNAVAILABLE: .*svc\/minimal\/single/)
  },
)

testUnless(
  test,
  unpacked ?? strictPage.absent,
  'a policy without WebAssembly fails the embedded engine with a code',
  async () => {
    const results = await strictPage.run(cellOf('embedded'), makeProject(folderWith()))
    assert.match(results.find(({ name }) => name === 'opens an empty store')?.problem ?? '', /^ERR_SQL_WASM/)
  },
)

// Only the bundler of the project in the short form.
for (const bundler of bundlers.slice(0, countOf({ quick: 1, deep: bundlers.length })))
  testUnless(test, unpacked ?? bundler.absent, `bundles of ${bundler.title} ${bundler.version}`, async () => {
    for (const cell of bundledCells) {
      const { plain, minified } = await bundleCell(bundler, cell, folderWith())
      const runs = bundleCauseOf(bundler, cell) === undefined ? [plain, minified] : [plain]
      for (const { passed, of, problems } of runs) assert.equal([passed, problems], [of, []])
    }
  })

// test/e2e/package.test.ts runs both in `make test`.
testDeep(test, unpacked, 'publint and attw report no problem, and the page says so', async () => {
  const checks = await checkPackage(makeProject(folderWith()))
  assert.equal(
    checks.flatMap(({ problems }) => problems),
    [],
  )
  assert.match(readFileSync(reachPage, 'utf8'), checksText(checks))
})

test('the table has a row for each runtime, with the pinned version and without empty cells', () => {
  assert.is(page.size, runtimes.length)
  for (const runtime of runtimes) {
    const line = lineOf(runtime)
    assert.is(line.length, cells.length)
    for (const text of line) assert.match(text, /^(?:\*\*)?\d+ of \d+(?:\*\* \[\d+\])?$|^– \[\d+\]$/)
  }
})

/**
 * The cells of a runtime in the table. If the version is not pinned, it is that of the machine that wrote the table.
 */
function lineOf({ title, version, isPinned }: Runtime): readonly string[] {
  const key = [...page.keys()].find((name) =>
    isPinned ? name === `${title} ${version}` : name.startsWith(`${title} `),
  )
  assert.ok(key !== undefined, `docs/reach.md has no row for ${title} ${version}: make reach renews it`)
  return page.get(key!)!
}

test.run()
