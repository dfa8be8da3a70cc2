/**
 * Runs the commands of every page, from an empty home folder and with only `HOME` and `PATH` in the environment. A
 * block that is not run has a reason.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { addStories, commandsOf } from '../support/page-commands/add-stories.ts'
import { readPage } from '../support/page-commands/page.ts'

const test = suite('commands of pages')
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = [...globSync('docs/**/*.md', { cwd: root }), ...globSync('*.md', { cwd: root })].sort()

/** Pages whose commands take long. Each has its own test file, which names the page. */
const apart = globSync('test/docs/*.test.ts', { cwd: root })
  .flatMap((file) => [...read(file).matchAll(/addStories\(test, '([^']+)'\)/g)].map(([, page]) => page!))
  .sort()
for (const page of pages) if (!apart.includes(page) && readPage(read(page)).stories.length > 0) addStories(test, page)

test('each page with a test file of its own is there, and has one such file', () => {
  assert.ok(apart.includes('docs/tour.md'))
  assert.equal(
    apart,
    pages.filter((page) => apart.includes(page)),
  )
})

const skipped = pages.flatMap((page) => readPage(read(page)).notRun.map((block) => ({ page, ...block })))

const withoutComment = (command: string): string => command.replace(/ +#.*/, '')

/** The program and the subcommand of a command, or its first argument if it has no subcommand. */
function nameOf(command: string): readonly string[] {
  const words = command.replace(/^(?:\w+=(?:"[^"]*"|\S*)\s+)*/, '').split(/\s+/)
  const end = words.findIndex((word, index) => index > 1 || (index > 0 && !/^[a-z][a-z-]*$/.test(word)))
  return words.slice(0, end < 0 ? words.length : Math.max(end, 2))
}

/** Whether a test has a command: in a text, in a list of arguments, or in a block or the page that the test reads. */
function hasCommand(test: string, page: string, command: string, block: readonly string[]): boolean {
  const read = [...test.matchAll(/commandsNotRun\('([^']+)', '([^']+)'\)/g)]
  if (read.some(([, from, start]) => from === page && block.some((one) => one.startsWith(start!)))) return true
  if (test.includes(`readFileSync(join(root, '${page}')`)) return true
  const words = nameOf(command).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(words.join(`(?: |', \\[?'|\\(')`)).test(test)
}

test('a block that is not run has a reason, which names a test file that has the commands', () => {
  for (const { page, reason, commands } of skipped) {
    const files = [...reason.matchAll(/\btest\/[\w./-]+/g)].map(([path]) => path)
    for (const path of files)
      assert.ok(/\.test\.ts$|\/cases\//.test(path) && existsSync(join(root, path)), `${page}: ${path}`)
    for (const command of commands)
      assert.ok(
        withoutComment(command) in made || files.some((file) => hasCommand(read(file), page, command, commands)),
        `${page}: ${files.join(', ')}: ${command}`,
      )
    assert.ok(files.length > 0, `${page}: ${reason}`)
  }
  const run = pages.map((page) => commandsOf(readPage(read(page))).length).reduce((sum, count) => sum + count)
  const list = skipped.map(({ page, reason }) => `  ${page}: ${reason}`)
  console.log(`${run} commands of pages are run, ${skipped.length} blocks are not:\n${list.join('\n')}`)
  assert.ok(hasCommand(`run('docker', ['build', '.'])`, 'a.md', 'docker build --tag svc .', []))
  assert.ok(hasCommand(`commandsNotRun('a.md', 'cd x')`, 'a.md', 'docker build .', ['cd x', 'docker build .']))
  assert.not.ok(hasCommand(`run('docker', ['run'])`, 'a.md', 'docker build --tag svc .', []))
  assert.ok(hasCommand(`run('curl', ['-s', base])`, 'a.md', 'curl -s localhost', []))
  assert.not.ok(hasCommand(`hasProgram('curl')`, 'a.md', 'curl -s localhost', []))
  assert.not.ok(hasCommand(`run('axb')`, 'a.md', 'a.b', []))
  assert.ok(run > skipped.length)
})

/** Parts of the output of `make --dry-run` for the commands of pages that are not run. */
const made: Readonly<Record<string, string>> = {
  'make run': ' scripts/run/cli.ts server-full',
  'make build PROFILE=path/to/edge.ts': ' scripts/toolkit/cli.ts build path/to/edge.ts',
  'make build PROFILE=minimal': ' scripts/toolkit/cli.ts build minimal',
  'make build PROFILE=server-cluster': ' scripts/toolkit/cli.ts build server-cluster',
  'make test': ' test/run.ts --build',
  "make test ONLY='unit/core e2e/kbd'": ' test/run.ts unit/core e2e/kbd',
  'make test PROFILE=minimal': ' scripts/toolkit/cli.ts test minimal',
  'make check': ' test/run.ts quality/tools architecture/ unit/',
  'make format': '/biome check --write .',
  'make help': 'make <target>',
  'make docs': ' scripts/docs/cli.ts',
  'make renew': ' scripts/renew/cli.ts',
  'make pictures': ' scripts/pictures/cli.ts',
  'make simulate SEEDS=1000': ' test/simulation/cli.ts run 1 1000',
  'make cluster': 'CHAOS= EVERY= ',
  'make cluster CHAOS=1': 'CHAOS=1 EVERY= ',
}

test('make runs the expected programs for commands of pages that are not run', () => {
  const shown = new Set(
    skipped.flatMap(({ commands }) => commands.map(withoutComment)).filter((one) => /^make /.test(one)),
  )
  assert.equal([...shown].sort(), Object.keys(made).sort())
  for (const [command, runs] of Object.entries(made)) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command.replace('make ', 'make --dry-run ')], {
      cwd: root,
      encoding: 'utf8',
      // Without the variables of the make that runs this test, which exports them.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    })
    assert.is(status, 0, `${command}: ${stderr}`)
    assert.match(stdout, runs, command)
    for (const [, script] of stdout.matchAll(/ ((?:scripts|test)\/[\w./-]+\.ts)/g))
      assert.ok(existsSync(join(root, script!)), script)
  }
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
  assert.equal(
    [marked.stories, marked.notRun.map(({ reason, commands }) => [reason, commands])],
    [[], [['no Docker here', ['docker build']]]],
  )
  assert.equal(readPage('```text\na table\n```\n').notRun, [])
  const [story] = readPage('# A\n```sh\n# first\nls \\\n  -l\n\nid # who\n```\n').stories
  assert.equal(
    commandsOf({ stories: [story!] }).map(({ command }) => command),
    ['ls \\\n  -l', 'id # who'],
  )
})

test.run()
