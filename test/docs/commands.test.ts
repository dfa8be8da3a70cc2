/** Every page that has commands is run, from an empty home and with an environment of `HOME` and `PATH` alone, or says why not. */
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

/** Pages that take long, so that they have a test file each: `test/docs/<name>.test.ts`. */
const apart = ['docs/backup.md', 'docs/boards.md', 'docs/tour.md']
for (const page of pages) if (!apart.includes(page) && readPage(read(page)).stories.length > 0) addStories(test, page)

test('pages that take long have a test file each', () => {
  for (const page of apart)
    assert.match(read(page.replace(/^docs\/(.+)\.md$/, 'test/docs/$1.test.ts')), `addStories(test, '${page}')`)
})

test('what is not run says why, and the reason names files that exist', () => {
  const left = pages.flatMap((page) => readPage(read(page)).notRun.map(({ reason }) => ({ page, reason })))
  for (const { page, reason } of left) {
    assert.ok(reason.length > 5, page)
    for (const [path] of reason.matchAll(/\btest\/[\w./-]+/g)) assert.ok(globSync(path, { cwd: root }).length > 0, path)
  }
  const run = pages.map((page) => commandsOf(readPage(read(page))).length).reduce((sum, count) => sum + count)
  const list = left.map(({ page, reason }) => `  ${page}: ${reason}`)
  console.log(`${run} commands of pages are run, ${left.length} blocks are not:\n${list.join('\n')}`)
  assert.ok(run > left.length)
})

test('a target of make that a page names is one of the Makefile', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name!))
  for (const page of pages)
    for (const [call, name] of read(page).matchAll(/(?:`|^|\$ )make ([a-z][a-z-]*)/gm))
      assert.ok(targets.has(name!), `${page}: ${call}`)
})

test('commands in a form that nothing runs, and marks that mean nothing, are refused', () => {
  assert.throws(() => readPage('```bash\nls\n```\n'), /nothing runs/)
  assert.throws(() => readPage('```\nada$ ls\n```\n'), /nothing runs/)
  assert.throws(() => readPage('- a list\n  ```shell\n  ls\n  ```\n'), /nothing runs/)
  assert.throws(() => readPage('<!-- commands: on the moon -->\n'), /means nothing/)
  assert.throws(() => readPage('<!-- goes on: x -->\n```sh\na\nb\n```\n'), /one alone/)
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
