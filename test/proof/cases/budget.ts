/** Size budgets work in both directions: a proof fails if a bundle grows, and if it shrinks below its recorded size. */

import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir } from '../../../scripts/build/paths.ts'
import { ownProfile } from '../../support/own-profile.ts'
import { buildToProof, refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('budget')
const parent = ownProfile({ name: `budget-parent-${process.pid}` })
const name = `budget-test-${process.pid}`
let size = 0

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

/** Writes the file of the profile with size members of its library. */
function fileWith(library: string): string {
  const file = join(dirname(parent), `budget-${library.replace(/\W+/g, '-')}.ts`)
  const text = `export const profile = { name: '${name}', summary: 'S', extends: './edge.ts', library: { ${library} } }`
  writeFileSync(file, text)
  return file
}

async function refused(library: string): Promise<string> {
  const { code, message } = await refusal(fileWith(library))
  assert.is(code, 'ERR_PROOF_BUDGET')
  return message
}

test('a bundle of the recorded size passes', async () => {
  const { bundles } = await buildToProof(fileWith(''))
  size = bundles[0]!.gzipBytes
  await buildToProof(fileWith(`gzipBytes: ${size}, gzipLimit: ${size}`))
})

test('a bundle that is larger fails with both sizes and the line to write', async () => {
  const message = await refused(`gzipBytes: ${Math.floor(size * 0.94)}`)
  assert.match(message, `library: grew from ${Math.floor(size * 0.94)} to ${size} bytes`)
  assert.match(message, `write gzipBytes: ${size} into profile ${name}`)
})

test('a bundle that is smaller fails', async () => {
  assert.match(await refused(`gzipBytes: ${Math.ceil(size * 1.06)}`), 'library: shrank from')
})

test('a bundle that is one byte over the limit fails', async () => {
  assert.match(await refused(`gzipLimit: ${size - 1}`), `1 over the limit of ${size - 1}`)
})
