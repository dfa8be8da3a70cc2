/**
 * Runs the commands of every page, from an empty home folder and with only `HOME` and `PATH` in the environment. A
 * block that is not run has a reason.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { addStories, commandsOf } from '../support/page-commands/add-stories.ts'
import { readPage } from '../support/page-commands/page.ts'

const test = suite('commands of pages')
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = [...globSync('docs/**/*.md', { cwd: root }), ...globSync('*.md', { cwd: root })].sort()

/** Pages whose commands take long. Each has its own test file: `test/docs/<name>.test.ts`. */
const apart = ['docs/backup.md', 'docs/boards.md', 'docs/tour.md']
for (const page of pages) if (!apart.includes(page) && readPage(read(page)).stories.length > 0) addStories(test, page)

test('pages that take long have a test file each', () => {
  for (const page of apart)
    assert.match(read(page.replace(/^docs\/(.+)\.md$/, 'test/docs/$1.test.ts')), `addStories(test, '${page}')`)
})

test('a block that is not run has a reason, and the reason names only files that exist', () => {
  const skipped = pages.flatMap((page) => readPage(read(page)).notRun.map(({ reason }) => ({ page, reason })))
  for (const { page, reason } of skipped) {
    assert.ok(reason.length > 5, page)
    for (const [path] of reason.matchAll(/\btest\/[\w./-]+/g)) assert.ok(globSync(path, { cwd: root }).length > 0, path)
  }
  const run = pages.map((page) => commandsOf(readPage(read(page))).length).reduce((sum, count) => sum + count)
  const list = skipped.map(({ page, reason }) => `  ${page}: ${reason}`)
  console.log(`${run} commands of pages are run, ${skipped.length} blocks are not:\n${list.join('\n')}`)
  assert.ok(run > skipped.length)
})

test('a target of make that a page names is in the Makefile', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name!))
  for (const page of pages)
    for (const [call, name] of read(page).matchAll(/(?:`|^|\$ )make ([a-z][a-z-]*)/gm))
      assert.ok(targets.has(name!), `${page}: ${call}`)
})

test('commands in a form that cannot be run, and unknown marks, are refused', () => {
  assert.throws(() => readPage('```bash\nls\n```\n'), /cannot be run/)
  assert.throws(() => readPage('```\nada$ ls\n```\n'), /cannot be run/)
  assert.throws(() => readPage('- a list\n  ```shell\n  ls\n  ```\n'), /cannot be run/)
  assert.throws(() => readPage('<!-- commands: on the moon -->\n'), /is unknown/)
  assert.throws(() => readPage('<!-- goes on: x -->\n```sh\na\nb\n```\n'), /single command/)
  const marked = readPage('<!-- not run: no Docker here -->\n```bash\ndocker build\n```\n')
  assert.equal([marked.stories, marked.notRun.map(({ reason }) => reason)], [[], ['no Docker here']])
  assert.equal(readPage('```text\na table\n```\n').notRun, [])
  const [story] = readPage('# A\n```sh\n# first\nls \\\n  -l\n\nid # who\n```\n').stories
  assert.equal(
    commandsOf({ stories: [story!] }).map(({ command }) => command),
    ['ls \\\n  -l', 'id # who'],
  )
})

test.run()
