/** The code of a worker in a bundle is built once per run, and again if its files have changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { workerText } from '../../../scripts/build/generate/carried.ts'

const test = suite('worker text')

/** A module with a worker whose second file exports a word. */
function project(): { say: (code: string) => void; bundled: () => Promise<{ text: string; inputs: string[] }> } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-worker-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'a-worker-source.ts'), "export const workerSource = ''\n")
  writeFileSync(join(folder, 'a-worker.ts'), "import { word } from './word.ts'\nconsole.log(word)\n")
  writeFileSync(join(folder, 'entry.ts'), "export { workerSource } from './a-worker-source.ts'\n")
  return {
    say: (code) => writeFileSync(join(folder, 'word.ts'), code),
    bundled: async () => {
      const inputs: string[] = []
      const plugins = [workerText((_, account) => void inputs.push(...Object.keys(account.inputs)))]
      const { outputFiles } = await build({
        absWorkingDir: folder,
        entryPoints: ['entry.ts'],
        bundle: true,
        format: 'esm',
        plugins,
        write: false,
        logLevel: 'silent',
      })
      return { text: outputFiles[0]!.text, inputs }
    },
  }
}

test('a worker with a changed file is built again for the next bundle', async () => {
  const { say: writeWord, bundled } = project()
  writeWord("export const word = 'before'\n")
  const [first, second] = [await bundled(), await bundled()]
  assert.match(first.text, 'before')
  assert.equal(second, first, 'a later bundle has the account too')
  assert.equal(first.inputs, ['word.ts', 'a-worker.ts'])
  writeWord("export const word = 'behind'\n")
  const { text } = await bundled()
  assert.match(text, 'behind')
  assert.not.match(text, 'before')
})

test('a worker that could not be bundled is tried again', async () => {
  const { say: writeWord, bundled } = project()
  writeWord('export const word = ;\n')
  assert.match(String(await bundled().catch((error: unknown) => error)), 'Unexpected')
  writeWord("export const word = 'mended'\n")
  assert.match((await bundled()).text, 'mended')
})

test.run()
