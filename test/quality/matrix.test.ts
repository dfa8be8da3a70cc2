/** The matrix in the README is the one that the build produces. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { tool } from '../../scripts/toolkit/commands/matrix.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('matrix')

/** Runs the command in this process, where the profiles are planned only once. */
async function runHere(flag: 'check' | 'write', file: string): Promise<{ code: number; err: string }> {
  let err = ''
  const { code = 0 } = await tool.run({
    words: [file],
    flag: (name) => name === flag,
    value: () => undefined,
    values: () => [],
    io: { json: false, color: false, out: () => undefined, step: () => undefined, note: (line) => void (err += line) },
  })
  return { code, err }
}

test('the matrix is written between its marks, and a stale copy is reported', async () => {
  const around = '# A\n\n<!-- matrix: generated -->\nold\n<!-- /matrix -->\n\nafter\n'
  const file = join(folderWith({ 'README.md': around }), 'README.md')
  assert.is((await runHere('check', file)).code, 1)
  assert.is((await runHere('write', file)).code, 0)
  const text = readFileSync(file, 'utf8')
  assert.ok(text.startsWith('# A\n') && text.endsWith('\n\nafter\n') && !text.includes('old'))
  assert.match(text, '| feature | server-full | server-cluster | minimal | embedded-native | embedded-mobile |')
  assert.is((await runHere('check', file)).code, 0)
  writeFileSync(file, text.replace('**cli**', '**clio**'))
  const stale = await runHere('check', file)
  assert.is(stale.code, 1)
  assert.match(stale.err, 'is stale')
})

if (existsSync(join(root, 'README.md'))) {
  test('the README shows the numbers of the proof', () => {
    const { bundles } = JSON.parse(readFileSync(join(root, 'dist/minimal/proof.json'), 'utf8')) as {
      bundles: { file: string; out: object; builtins: { used: string[] } }[]
    }
    const { out, builtins } = bundles.find(({ file }) => file === 'index.mjs')!
    assert.is(builtins.used.length, 0)
    assert.match(
      readFileSync(join(root, 'README.md'), 'utf8'),
      `  index.mjs: ${Object.keys(out).length} proven absent (each with a mutation control), 0 built-ins\n`,
    )
  })
}

test.run()
