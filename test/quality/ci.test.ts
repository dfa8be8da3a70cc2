/** `.ci/run` runs all tests, with and without optional programs, and does not call a package manager. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('.ci/run')
const root = join(import.meta.dirname, '../..')

/** The programs that the script itself calls, at their paths in Debian and macOS. */
const needed = ['bash', 'dirname', 'echo', 'make', 'sh', 'sort'].map((name) => ({
  name,
  file: ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file)),
}))
const missing = needed.find(({ file }) => file === undefined)?.name

/** The programs whose packages the script installs. */
const all = [
  ...readFileSync(join(root, '.ci/run'), 'utf8').matchAll(/^(?:programs=')?([a-z][\w-]*) [a-z][\w.-]*(?: .*)?$/gm),
].map(([, name]) => name!)

test('the programs without which tests and pages skip a part are installed', () => {
  const texts = [...globSync('test/**/*.ts', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const asked = (form: RegExp): string[] =>
    texts.flatMap((text) => [...text.matchAll(form)].flatMap(([, names]) => names!.split(/, */)))
  const needed = new Set([
    ...asked(/\bhasProgram\('([\w-]+)'\)/g),
    ...asked(/^<!-- needs: (.+) -->$/gm),
    ...asked(/spawnSync\('([\w-]+)', \['(?:-v|-V|--version|version)'\]/g),
  ])
  assert.ok(needed.size > 5)
  // Debian has neither Grafana nor Traefik; the others are there wherever the tests run.
  const others = ['grafana', 'grafana-server', 'traefik', 'bash', 'git', 'mkfifo', 'npm']
  assert.equal(
    [...needed].filter((name) => !all.includes(name) && !others.includes(name)),
    [],
  )
})

for (const [title, programs] of [
  ['every program exists', all],
  ['some programs exist', ['promtool', 'chromium', 'qemu-aarch64']],
  ['no program exists', []],
] as const)
  testUnless(
    test,
    missing === undefined ? undefined : `no ${missing}`,
    `the script runs to the end of the tests if ${title}`,
    () => {
      const folder = folderWith({ Makefile: "test:\n\t@echo '1 passed, 0 failed'\n" })
      mkdirSync(join(folder, '.ci'))
      mkdirSync(join(folder, 'bin'))
      copyFileSync(join(root, '.ci/run'), join(folder, '.ci/run'))
      for (const { name, file } of needed) symlinkSync(file!, join(folder, 'bin', name))
      for (const name of programs) symlinkSync(process.execPath, join(folder, 'bin', name))
      const env = { PATH: join(folder, 'bin') }
      const { status, stdout, stderr } = spawnSync('bash', ['.ci/run'], { cwd: folder, encoding: 'utf8', env })
      assert.equal([status, stdout, stderr], [0, '1 passed, 0 failed\n', ''])
    },
  )

test.run()
