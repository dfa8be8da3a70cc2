/** A profile that contains forbidden code is refused, with the file that leaked and the imports that lead to it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, root } from '../../../scripts/build/paths.ts'
import { featureText } from '../../support/feature-text.ts'
import { ownProfile } from '../../support/own-profile.ts'
import { refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('leaks')
const name = `leak-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

/** A feature with an import that it must not have. */
const featureWith = (head: string): string =>
  featureText({ id: 'edge.quote', head, does: 'setup() { console.info(stray) },' })

test('a plugin that imports code of an absent feature is refused: one problem, in which the files that it adds are counted', async () => {
  const stray = join(root, 'plugins/telemetry/metrics/feature.ts')
  const profile = ownProfile({ name, feature: featureWith(`import { feature as stray } from '${stray}'`) })
  const { code, message, details } = await refusal(profile)
  assert.is(code, 'ERR_PROOF_LEAK')
  assert.match(
    message,
    'library and main: plugins/telemetry/metrics/feature.ts (feature telemetry.metrics) is in the bundle: ' +
      './quote/feature.ts → plugins/telemetry/metrics/feature.ts\n',
  )
  assert.match(message, /It brings \d+ more files: .*package prom-client \(\d+\), .*feature telemetry\.metrics \(\d+\)/)
  assert.match(message, 'Let ./quote/feature.ts reach it through a capability')
  assert.match(message, /: one problem\n {2}ERR_PROOF_LEAK: /)
  for (const consequence of ['Name the package', 'ERR_PROOF_FORM', 'ERR_PROOF_BUILTIN'])
    assert.not.match(message, consequence)
  assert.is((details!['problems'] as unknown[]).length, 1)
})

test('two leaking imports are two problems, and problems of other kinds are reported too', async () => {
  const metrics = join(root, 'plugins/telemetry/metrics/feature.ts')
  const openapi = join(root, 'plugins/openapi/feature.ts')
  const feature = featureWith(
    `import { feature as stray } from '${metrics}'\nimport '${openapi}'\nimport 'node:net'\nexport const f = eval`,
  )
  const { message } = await refusal(ownProfile({ name, feature }))
  assert.match(message, './quote/feature.ts → plugins/telemetry/metrics/feature.ts')
  assert.match(message, './quote/feature.ts → plugins/openapi/feature.ts')
  assert.match(message, /library and main: \.\/quote\/feature\.ts:\d+ \(feature edge\.quote\) contains `f = eval`/)
  assert.match(message, './quote/feature.ts → node:net')
  assert.is(message.match(/ERR_PROOF_LEAK/g)!.length, 2)
})

test('a package that no feature of the profile names is refused', async () => {
  const stray = join(root, 'node_modules/prom-client/index.js')
  const profile = ownProfile({ name, feature: featureWith(`import { Registry as stray } from '${stray}'`) })
  const { code, message } = await refusal(profile)
  assert.is(code, 'ERR_PROOF_LEAK')
  assert.match(message, 'node_modules/prom-client/index.js (package prom-client) is in the bundle: ')
  assert.match(message, './quote/feature.ts → node_modules/prom-client/index.js')
})

test('a built-in that the profile does not allow is refused, also under its old name and if it is loaded at run time', async () => {
  const feature = featureWith(`import { connect } from 'node:net'
import { lookup } from 'dns'
const stray = [
  connect, lookup, process.getBuiltinModule('node:dgram'), process.getBuiltinModule(['node', 'net'].join(':')),
]`)
  const { code, message } = await refusal(ownProfile({ name, feature }))
  assert.match(message, 'library: node:net is used: ./quote/feature.ts → node:net')
  assert.match(message, 'A target of platform "web" has no built-ins')
  assert.match(message, 'main: node:net is used')
  assert.match(message, "Add 'node:net' to `builtins` of the profile")
  assert.match(message, 'library: node:dns is used')
  assert.match(message, './quote/feature.ts → node:dgram')
  assert.match(message, 'ERR_PROOF_BUILTIN')
  assert.is(code, 'ERR_PROOF_FORM')
  assert.match(message, /contains `process\.getBuiltinModule\(.*`, which the bundler cannot follow/)
})

test('a built-in that the profile allows is accepted', async () => {
  const profile = ownProfile({
    name,
    feature: featureWith("import { isIP as stray } from 'node:net'"),
    rest: "builtins: ['node:net'],",
  })
  const { message } = await refusal(profile)
  assert.not.match(message, 'main: node:net')
  assert.match(message, 'library: node:net')
})
