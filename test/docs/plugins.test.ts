/** The plugin in docs/plugins.md is built, proved, and keeps its contract. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('docs/plugins.md')
const files = filesOf('plugins.md')
const folder = folderWith(files)

async function run(script: string): Promise<string> {
  const child = startChild(process.execPath, { args: [join(root, script), 'edge.ts'], cwd: folder })
  const { code } = await child.exited
  assert.is(code, 0, `${child.out}\n${child.err}`)
  return child.out
}

test.after(() => {
  for (const made of [buildDir('docs-edge'), distDir('docs-edge')]) rmSync(made, { recursive: true, force: true })
  rmSync(join(root, '.build/conformance/docs-edge.json'), { force: true })
})

test('it shows the plugin, its contract and a profile', () => {
  assert.equal(Object.keys(files).sort(), ['edge.ts', 'quote/contract.ts', 'quote/more-cases.ts', 'quote/plugin.ts'])
})

test('what it shows is built and proved', async () => {
  assert.match(await run('scripts/build/cli.ts'), 'dist/docs-edge/')
})

test('what it shows keeps its contract', async () => {
  assert.match(await run('test/conformance/one.ts'), /docs-edge +library +[1-9]\d* +0 /)
})

test.run()
