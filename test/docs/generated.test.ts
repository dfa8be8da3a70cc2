/** Everything that is generated from the sources alone is up to date. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { renewedFiles } from '../../scripts/renew/generated.ts'
import { withSizes } from '../../scripts/renew/sizes.ts'

const test = suite('generated files')

test('every generated text is what the sources say', async () => {
  const files = [...(await renewedFiles())]
  assert.ok(files.length > 25)
  const stale = files.filter(([file, text]) => readFileSync(join(root, file), 'utf8') !== text).map(([file]) => file)
  assert.equal(stale, [], 'make renew writes them')
})

test('sizes are written at their places in a profile', () => {
  const text = `{ library: { gzipBytes: 1, single: { gzipBytes: 2 } }, main: { gzipBytes: 30, gzipLimit: 40 }, gzipBytes: 5 }`
  const sizes = { 'library.gzipBytes': 1_234, 'library.single.gzipBytes': 7, 'main.gzipBytes': 1_000_000, 'main.no': 1 }
  assert.is(
    withSizes(`const a = ${text}`, new Map(Object.entries(sizes))),
    'const a = { library: { gzipBytes: 1_234, single: { gzipBytes: 7 } }, main: { gzipBytes: 1_000_000, gzipLimit: 40 }, gzipBytes: 5 }',
  )
})

test.run()
