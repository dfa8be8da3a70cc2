/** Warnings of the bundler reach the person who builds, with their places; code that cannot work fails the build. */
import { rmSync } from 'node:fs'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildProfile } from '../../../scripts/build/build.ts'
import { buildDir } from '../../../scripts/build/paths.ts'
import { toldOf } from '../../../scripts/toolkit/build-shown.ts'
import { featureText } from '../../support/feature-text.ts'
import { ownProfile } from '../../support/own-profile.ts'
import { refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('warnings of the bundler')
const name = `warnings-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

const greeter = 'node_modules/edge-greeter/lib/text.js'

const broken: Readonly<Record<string, [text: string, message: RegExp]>> = {
  'a member of import.meta that a program has not': [
    'export const text = import.meta.main',
    /"import\.meta" is not available/,
  ],
  'an eval that sees the names around it': ['export const text = eval("1")', /direct eval/i],
  'a type that no value has': ["export const text = typeof globalThis === 'nul'", /"typeof" .*nul/],
}

for (const [what, [text, message]] of Object.entries(broken))
  test(`a package with ${what} is refused, with file and line`, async () => {
    const error = await refusal(ownProfile({ name, files: { [greeter]: `${text}\n` } }))
    assert.is(error.code, 'ERR_BUILD_BROKEN', error.message)
    assert.match(error.message, message)
    assert.match(error.message, /\.\/node_modules\/edge-greeter\/lib\/text\.js:[12]: /)
  })

test('a warning of code that may work is printed', async () => {
  const feature = featureText({
    id: 'edge.quote',
    head: 'const twice = { a: 1, a: 2 }',
    does: 'setup() { console.info(twice) },',
  })
  const built = await buildProfile(ownProfile({ name, feature }), 'bundle')
  assert.match(toldOf(built).notes.join('\n'), /^warning: \.\/quote\/feature\.ts:2: Duplicate key "a"/)
})
