/** Features own only their own files. The proof relies on the claims of features, so the claims are checked first. */
import { rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { buildDir, root, shown } from '../../../scripts/build/paths.ts'
import { checkOwnership } from '../../../scripts/build/plan/checks/check-ownership.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { type LocatedFeature, matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { assetsOf, attribute } from '../../../scripts/build/prove/attribute.ts'
import { checkMissing } from '../../../scripts/build/prove/checks.ts'
import { findLeaks } from '../../../scripts/build/prove/leaks.ts'
import { bundlesOf, planOf } from '../../support/bundles.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'
import { ownProfile } from '../../support/own-profile.ts'
import { refusal } from '../../support/refusal.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('ownership')
const name = `ownership-test-${process.pid}`

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

/** A profile whose feature edge.quote has additional members, given as source text. */
function claiming(members: string, files: Readonly<Record<string, string>> = {}): string {
  return ownProfile({ name, files, about: members })
}

/** The problems with the claims of a profile, as messages. */
async function claims(file: string): Promise<string[]> {
  const profile = await loadProfile(file)
  return checkOwnership(profile, { ...matrixFeatures, ...profile.ownFeatures }).map(
    ({ code, message }) => `${code} ${message}`,
  )
}

test('the claims of the matrix and of a correct profile are accepted', async () => {
  assert.equal(await claims(ownProfile({ name })), [])
  assert.equal(checkOwnership({ ownFeatures: {}, homes: {}, base: root }, matrixFeatures), [])
})

test('a feature cannot claim a folder of an absent feature', async () => {
  const file = claiming(`owns: ['${join(root, 'plugins/telemetry/metrics')}', '.']`)
  const { code, message } = await refusal(file)
  assert.is(code, 'ERR_PROFILE_OWNERSHIP')
  assert.match(message, 'edge.quote claims plugins/telemetry/metrics, which is not in the folder of its profile')
  assert.match(message, 'both claim plugins/telemetry/metrics')
})

test('a feature cannot claim files outside of its profile, a package, or a module of the project', async () => {
  const elsewhere = folderWith({ 'x.ts': 'export const x = 1' })
  const commands = join(root, 'plugins/openapi/commands.ts')
  const openapi = join(root, 'openapi.json')
  const file = claiming(`
    owns: ['${elsewhere}', '../node_modules/edge-greeter', '../..'],
    exports: { x: '${join(elsewhere, 'x.ts')}' },
    commands: '${commands}',
    assets: { 'openapi.txt': '${openapi}', 'passwd.txt': '/etc/passwd' },
  `)
  const found = await claims(file)
  const folder = dirname(file)
  for (const path of [
    elsewhere,
    join(folder, 'node_modules/edge-greeter'),
    dirname(folder),
    join(elsewhere, 'x.ts'),
    commands,
    openapi,
    '/etc/passwd',
  ]) {
    const claim = `ERR_PROFILE_OWNERSHIP edge.quote claims ${shown(path, folder)}, which is not in the folder`
    assert.ok(
      found.some((line) => line.startsWith(claim)),
      `${path}: ${found.join('\n')}`,
    )
  }
})

test('a location that a feature names is not believed', async () => {
  const at = pathToFileURL(join(root, 'plugins/telemetry/metrics/feature.ts')).href
  assert.equal(await claims(claiming(`at: '${at}'`)), [])
  const { ownFeatures } = await loadProfile(claiming(`at: '${at}'`))
  assert.match(ownFeatures['edge.quote']!.folder ?? '', /\/quote$/)
})

test('a feature cannot claim files through a symbolic link', async () => {
  const file = claiming("owns: ['../mine'], assets: { 'a.txt': '../a.txt' }", { 'a/b.txt': '' })
  symlinkSync(join(root, 'plugins/telemetry/metrics'), join(dirname(file), 'mine'))
  symlinkSync(join(root, 'LICENSE'), join(dirname(file), 'a.txt'))
  const found = (await claims(file)).join('\n')
  assert.match(found, 'edge.quote claims plugins/telemetry/metrics')
  assert.match(found, 'edge.quote claims LICENSE')
})

test('two features cannot own the same files', async () => {
  const file = ownProfile({ name, greeterAbout: "owns: ['../../quote/lib']", files: { 'quote/lib/a.ts': '' } })
  assert.match(
    (await claims(file)).join(),
    /edge\.greeter and edge\.quote both claim \.\/quote\/lib|edge\.quote and edge/,
  )
})

test('two features cannot own paths that differ only in case, because these are the same file on many disks', async () => {
  const file = ownProfile({ name, greeterAbout: "owns: ['../../Quote/lib']", files: { 'Quote/lib/a.ts': '' } })
  assert.match((await claims(file)).join(), /edge\.greeter and edge\.quote both claim \.\/Quote\/lib/)
  const { probes } = matrixFeatures
  const ownFeatures = {
    'edge.quote': { ...probes!, folder: join(root, 'mine'), owns: [join(root, 'Plugins/telemetry')] },
  }
  const [problem] = checkOwnership({ ownFeatures, homes: { 'edge.quote': root }, base: root }, ownFeatures)
  assert.match(problem!.message, 'edge.quote claims Plugins/telemetry, which is not in the folder of its profile')
})

test('an external must be the name of a package, not a file', async () => {
  const files = ['./more.mjs', '/tmp/more.mjs', '*', 'https://example.org/x.mjs', '../edge-greeter']
  const found = await claims(claiming(`externals: ${JSON.stringify(['edge-addon', ...files, '@edge/addon'])}`))
  assert.is(found.length, files.length, found.join('\n'))
  for (const [index, file] of files.entries())
    assert.match(found[index]!, `ERR_PROFILE_OWNERSHIP ${JSON.stringify(file)} `)
})

test('a feature that names no code is refused', async () => {
  const file = ownProfile({ name, feature: featureText({ id: 'edge.quote' }) })
  const { code, message } = await refusal(file)
  assert.is(code, 'ERR_PROFILE_OWNERSHIP')
  assert.match(message, 'edge.quote names no code')
})

test('names that would be code, or that lead out of the delivered folder, are refused', async () => {
  const problems = await claims(
    claiming("exports: { 'x = eval, y': './feature.ts' }, assets: { '../../index.mjs': './feature.ts' }"),
  )
  assert.is(problems.length, 2, problems.join('\n'))
  assert.match(problems[0]!, '"x = eval, y" cannot be a name of "edge.quote"')
  assert.match(problems[1]!, 'edge.quote: "../../index.mjs" is no name for an asset')
  // Names of the build itself and of other features, also in other cases.
  for (const taken of [
    ['index.mjs', 'proof.json', 'sql-wasm.wasm'],
    ['Index.mjs', 'SQL-wasm.wasm'],
  ]) {
    const found = await claims(claiming(`assets: { ${taken.map((asset) => `'${asset}': './feature.ts'`).join()} }`))
    assert.is(found.length, taken.length, found.join('\n'))
    for (const [index, asset] of taken.entries()) assert.match(found[index]!, `The asset ${asset} of edge.quote has`)
  }
  const withId = ownProfile({
    name,
    change: (text) => text.replaceAll("'edge.quote'", "'edge quote'"),
    feature: featureText({ id: 'edge quote', does: 'setup() {},' }),
  })
  assert.match((await claims(withId)).join(), '"edge quote" cannot be a name')
})

test('a profile with the name of a standard profile is refused, because it would replace that profile', async () => {
  for (const taken of ['minimal', 'server-full', 'embedded-mobile', 'npm']) {
    try {
      await loadProfile(ownProfile({ name: taken }))
      assert.unreachable(taken)
    } catch (error) {
      assert.ok(isSvcError(error, 'ERR_PROFILE_INVALID'), String(error))
      assert.match(error.message, `the name "${taken}" is taken`)
    }
  }
  assert.is((await loadProfile(join(root, 'profiles/minimal.ts'))).name, 'minimal')
})

test('shared code of a family without a feature in the profile is a leak', async () => {
  const stray = join(root, 'plugins/sync/errors.ts')
  const feature = featureText({
    id: 'edge.quote',
    head: `import * as stray from '${stray}'`,
    does: 'setup() { console.info(stray) },',
  })
  const { code, message } = await refusal(ownProfile({ name, feature }))
  assert.is(code, 'ERR_PROOF_LEAK')
  assert.match(message, 'plugins/sync/errors.ts (shared sync) is in the bundle')
})

test('an altered copy of a package beside the profile is not accepted as the package of the project', async () => {
  const feature = featureText({
    id: 'edge.quote',
    head: "import { decode } from 'hash-wasm'",
    does: 'setup() { console.info(decode) },',
  })
  const files = {
    'node_modules/hash-wasm/package.json': '{"name":"hash-wasm","version":"4.13.0","main":"index.js"}',
    'node_modules/hash-wasm/index.js': 'exports.decode = 1',
  }
  const { code, message } = await refusal(ownProfile({ name, feature, files }))
  assert.is(code, 'ERR_PROOF_LEAK')
  assert.match(message, '(foreign hash-wasm)')
})

test('a feature is present only if its own files have bytes, not files with a similar path', async () => {
  const planned = await planOf('minimal')
  const made = (await bundlesOf(planned))[0]!
  const output = Object.values(made.metafile.outputs)[0]!
  const metafile = structuredClone(made.metafile)
  const inputs = Object.values(metafile.outputs)[0]!.inputs
  // The same bytes under a path with the same end, and no bytes of the feature itself.
  for (const { input, owner } of attribute(planned, made.metafile)) {
    if (owner !== 'feature:probes') continue
    inputs[`plugins/telemetry/x/${input}`] = inputs[input]!
    inputs[input] = { bytesInOutput: 0 }
  }
  assert.ok(Object.keys(output.inputs).length > 50)
  const problems = checkMissing(planned, { ...made, metafile })
  assert.ok(problems.some(({ code, message }) => code === 'ERR_PROOF_MISSING' && message.includes('nothing of probes')))
})

test('a feature without a byte in the bundle is refused', async () => {
  const file = ownProfile({
    name,
    feature: featureText({ id: 'edge.quote', about: "code: './nothing/a.ts'" }),
    files: { 'quote/nothing/a.ts': 'export const a = 1' },
  })
  const { code, message } = await refusal(file)
  assert.is(code, 'ERR_PROOF_MISSING')
  assert.match(message, 'library and main: nothing of edge.quote is in the bundle')
})

test('an asset of an absent feature is a leak', async () => {
  const planned = await planOf('embedded-mobile')
  const made = (await bundlesOf(planned))[0]!
  const { target } = made
  assert.equal(findLeaks(planned, target, made), [])
  assert.equal(
    assetsOf(planned, target).map(({ owner }) => owner),
    ['package:sql.js'],
  )
  const minimal = (await planOf('minimal')).targets[0]!
  const stray: LocatedFeature = { ...matrixFeatures['probes']!, assets: { 'x.json': 'openapi.json' } }
  const features = minimal.features.map((one) => (one.id === 'probes' ? { ...one, feature: stray } : one))
  const leaks = findLeaks(planned, minimal, {
    ...made,
    metafile: { inputs: {}, outputs: {} },
    target: { ...minimal, features },
  })
  assert.equal(
    leaks.map(({ file, owner }) => [file, owner]),
    [['openapi.json', 'feature:openapi']],
  )
})
