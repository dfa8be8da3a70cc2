/** Sizes are held both ways: growth fails, and so does a shrink that nobody wrote down. */

import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/errors.ts'
import { type Built, buildProfile } from '../../scripts/build/build.ts'
import { buildDir } from '../../scripts/build/paths.ts'
import { ownProfile } from '../support/own-profile.ts'

const test = suite('budget')
const parent = ownProfile({ name: `budget-parent-${process.pid}` })
const name = `budget-test-${process.pid}`
let size = 0

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

/** Builds the profile with a line about the size of its library. */
function buildWith(library: string): Promise<Built> {
  const file = join(dirname(parent), `budget-${library.replace(/\W+/g, '-')}.ts`)
  const text = `export const profile = { name: '${name}', summary: 'S', extends: './edge.ts', library: { ${library} } }`
  writeFileSync(file, text)
  return buildProfile(file, 'prove')
}

async function refused(library: string): Promise<string> {
  try {
    await buildWith(library)
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_PROOF_BUDGET'), String(error))
    return error.message
  }
  throw new Error('the size was taken')
}

test('a size that is written down is met', async () => {
  const { bundles } = await buildWith('')
  size = bundles[0]!.gzipBytes
  await buildWith(`gzipBytes: ${size}, gzipLimit: ${size}`)
})

test('a bundle that is larger fails, and says by how much and what to write', async () => {
  const message = await refused(`gzipBytes: ${Math.floor(size * 0.97)}`)
  assert.match(message, `library: grew from ${Math.floor(size * 0.97)} to ${size} bytes`)
  assert.match(message, `write gzipBytes: ${size} into profile ${name}`)
})

test('a bundle that is smaller fails', async () => {
  assert.match(await refused(`gzipBytes: ${Math.ceil(size * 1.03)}`), 'library: shrank from')
})

test('the limit holds to the byte', async () => {
  assert.match(await refused(`gzipLimit: ${size - 1}`), `1 over the limit of ${size - 1}`)
})

test.run()
