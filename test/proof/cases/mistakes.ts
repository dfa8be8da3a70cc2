/**
 * Mistakes of a plugin's author that only the bundler sees: each error has its place and advice that can be followed.
 */
import { rmSync } from 'node:fs'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError, type SvcError } from '../../../core/declare/errors.ts'
import { buildProfile } from '../../../scripts/build/build.ts'
import { buildDir } from '../../../scripts/build/paths.ts'
import { featureText } from '../../support/feature-text.ts'
import { ownProfile } from '../../support/own-profile.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('mistakes of an author')
const name = `mistakes-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

const featureWith = (head: string, setup: string, about = ''): string =>
  featureText({ id: 'edge.quote', head, about, does: `async setup() { ${setup} },` })

/** The error of a build that ends with its bundles, before anything is proved. */
async function failure(profile: string): Promise<SvcError> {
  try {
    await buildProfile(profile, 'bundle')
  } catch (error) {
    if (isSvcError(error)) return error
    throw error
  }
  throw new Error('the build did not fail')
}

test('a top-level await, which a program cannot have', async () => {
  const feature = featureWith('const seven = await Promise.resolve(7)', 'console.info(seven)')
  const { code, message, hint } = await failure(ownProfile({ name, feature }))
  assert.is(code, 'ERR_BUILD_FAILED')
  assert.match(message, /^main: the bundler failed:\n {2}\.\/quote\/feature\.ts:2: Top-level await/)
  assert.match(hint ?? '', '`setup` of the plugin, which may be async')
})

test('an import that is followed only at run time', async () => {
  const feature = featureWith('', "console.info(await import('./help.js'))")
  const { code, message, hint } = await failure(
    ownProfile({ name, feature, files: { 'quote/help.mts': 'export const a = 1\n' } }),
  )
  assert.is(code, 'ERR_BUILD_FAILED')
  assert.match(message, /the bundler failed:\n {2}\.\/quote\/feature\.ts:6: Could not resolve "\.\/help\.js"/)
  assert.match(hint ?? '', "Write './help.mts'")
})

test('a package that no feature names is reported with the bundle, with its line and what to write', async () => {
  const feature = featureWith("import { text } from 'outer'", 'console.info(text)')
  const files = {
    'node_modules/outer/package.json': '{"name":"outer","version":"1.0.0","type":"module","main":"index.js"}',
    'node_modules/outer/index.js': "export { text } from 'inner'\n",
    'node_modules/inner/package.json': '{"name":"inner","version":"1.0.0","type":"module","main":"index.js"}',
    'node_modules/inner/index.js': "export const text = 'good day'\n",
  }
  const undeclared = await failure(ownProfile({ name, feature, files }))
  assert.is(undeclared.code, 'ERR_PROOF_LEAK')
  assert.match(undeclared.message, /\n {4}\.\/quote\/feature\.ts:2: import \{ text \} from 'outer'\n/)
  assert.match(undeclared.message, "→ Write `packages: ['outer', 'inner']` into edge.quote")
  const naming = (packages: string): string =>
    featureWith("import { text } from 'outer'", 'console.info(text)', packages)
  const half = await failure(ownProfile({ name, feature: naming("packages: ['outer']"), files }))
  assert.match(half.message, "→ Write `packages: ['outer', 'inner']` into")
  const all = ownProfile({ name, feature: naming("packages: ['outer', 'inner']"), files })
  const { bundles } = await buildProfile(all, 'bundle')
  assert.is(bundles.length, 2)
})
