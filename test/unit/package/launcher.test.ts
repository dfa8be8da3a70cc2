/** The command of the npm package, run by an old Node. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadTypeScript } from '../../../scripts/build/typescript.ts'
import { launcherText, programNode } from '../../../scripts/package/code.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'

const TS = loadTypeScript()

const test = suite('launcher')

/** Runs the command as if the Node had this version. */
function runAs(version: string): { status: number | null; stdout: string; stderr: string } {
  const folder = folderWith({
    'package.json': '{"type":"module"}',
    'svc.js': launcherText(),
    'program.js': "console.log('the program')",
    'as.cjs': `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
  })
  const args = ['--require', join(folder, 'as.cjs'), join(folder, 'svc.js')]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

test('an old Node gets a sentence and exit code 1, and a new one the program', () => {
  const [major, minor] = programNode
  for (const old of ['18.20.4', '20.20.2', `${major}.${minor - 1}.9`, '12.0.0']) {
    const { status, stdout, stderr } = runAs(old)
    assert.is(status, 1, old)
    assert.is(stdout, '')
    assert.match(stderr, `svc: this program needs Node ${major}.${minor} or newer, and runs on ${old}.\n  → `)
  }
  for (const young of [`${major}.${minor}.0`, '24.0.0', '100.1.0']) {
    const { status, stdout } = runAs(young)
    assert.equal([status, stdout], [0, 'the program\n'], young)
  }
})

test('the launcher uses only syntax that an old Node has, and imports nothing before the check', () => {
  const { diagnostics = [] } = TS.transpileModule(launcherText(), {
    reportDiagnostics: true,
    compilerOptions: { target: TS.ScriptTarget.ES2020, allowJs: true },
    fileName: 'svc.js',
  })
  assert.equal(diagnostics, [])
  assert.not.match(launcherText(), /^import|=>|\?\.|\?\?|`/m)
})

const machines = ['/usr/bin/node', '/usr/local/bin/node'].filter((path) => existsSync(path))
const version = machines[0] === undefined ? '' : spawnSync(machines[0], ['--version'], { encoding: 'utf8' }).stdout
const dist = join(import.meta.dirname, '../../../dist/npm')
const reason = !/^v20\./.test(version)
  ? 'no Node 20 on this machine'
  : existsSync(join(dist, 'program.js'))
    ? undefined
    : 'make package has not been run'

testUnless(
  test,
  reason,
  'Node 20 can import each library of the package, and the command names the Node that it needs',
  () => {
    const { exports } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { default: string }>
    }
    const files = Object.values(exports).flatMap((one) => (typeof one === 'string' ? [] : [join(dist, one.default)]))
    assert.ok(files.length >= 6)
    for (const file of files) {
      const { status, stderr } = spawnSync(machines[0]!, ['--input-type=module', '-e', `await import('${file}')`], {
        encoding: 'utf8',
      })
      assert.is(status, 0, `${file}: ${stderr}`)
    }
    const { status, stderr } = spawnSync(machines[0]!, [join(dist, 'svc.js'), '--version'], { encoding: 'utf8' })
    assert.is(status, 1)
    assert.match(stderr, /^svc: this program needs Node 22\.16 or newer, and runs on 20\./)
  },
)

test.run()
