/** What the author of a plugin is told of a slip: what is wrong, where, and what was probably meant. */
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('plugin author')

/** The message and hint with which the plan of a profile is refused. */
async function refusal(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderWith(files)
  try {
    await plan(join(folder, 'edge.ts'))
  } catch (error) {
    if (!isSvcError(error)) throw error
    return `${error.code} ${error.message}\n${error.hint ?? ''}`
  }
  throw new Error('the profile was taken')
}

const feature = (rest: string): string =>
  `{ summary: 'S', stability: 'stable', since: '1.0.0', platform: 'web', contract: { present: [], absent: [] }, ${rest} }`
const profile = (features: string, own: string, rest = "extends: 'minimal',"): string =>
  `export const profile = { name: 'edge', summary: 'Edge', ${rest} library: { features: { ${features} } }, own: { ${own} } }`
const plugin = (rest: string, id = 'edge.a'): string =>
  `export const plugin = { name: '${id}', feature: '${id}', ${rest} setup() {} }`

/** A profile with one feature whose plugin is this text. */
const one = (text: string): Readonly<Record<string, string>> => ({
  'edge.ts': profile("'edge.a': true", `'edge.a': ${feature("plugin: './quote/plugin.ts'")}`),
  'quote/plugin.ts': text,
})

test('a capability that nobody knows names the plugin, the capability and the nearest', async () => {
  const said = await refusal(one(plugin("requires: ['Lvie', 'Quotas'],")))
  assert.match(said, 'ERR_FEATURE_REQUIRES')
  assert.match(
    said,
    'The plugin "edge.a" of edge.a requires the capability Lvie, which no plugin of the profile provides',
  )
  assert.match(said, 'Did you mean Live?')
  assert.match(said, 'requires the capability Quotas')
  assert.match(said, "write a plugin with `provides: ['Quotas']`")
  assert.match(said, '2 problems')
})

test('the name and the paths of a feature of ours are reserved, present or not', async () => {
  const route = (path: string): string =>
    `{ surface: 'runtime', method: 'GET', path: '${path}', auth: 'guard', summary: 'S' }`
  const named = await refusal({
    ...one(plugin('', 'edge.a').replace("name: 'edge.a'", "name: 'telemetry.metrics'")),
  })
  assert.match(named, 'ERR_PROFILE_INVALID')
  assert.match(named, 'is named "telemetry.metrics", which is the name of a feature or a plugin of the matrix')
  for (const [path, owner] of [
    ['/metrics', 'telemetry.metrics'],
    ['/api/svc/runs/:other', 'realtime.runs'],
  ] as const) {
    const said = await refusal(one(plugin(`routes: [${route(path)}],`)))
    assert.match(said, `of the runtime surface, which is that of ${owner}`)
    assert.match(said, `add '${owner}' to the features`)
  }
})

test('the old id of a feature that was renamed says the new one', async () => {
  assert.match(
    await refusal({ 'edge.ts': profile("'sync.boards': true", '') }),
    'There is no feature "sync.boards" (library).\n',
  )
  assert.match(await refusal({ 'edge.ts': profile("'sync.peers': true", '') }), 'It is called peer.registry now.')
})

test('a capability that a feature outside of the profile provides names that feature', async () => {
  const said = await refusal(one(plugin("requires: ['Telemetry'],")))
  assert.match(said, "telemetry.metrics provides it: add 'telemetry.metrics' to the features, or take edge.a out.")
})

test('a capability that only the program has sends the feature there', async () => {
  const said = await refusal(one(plugin("requires: ['HttpServer'],")))
  assert.match(said, 'requires the capability HttpServer, which no plugin of the profile provides (library)')
  assert.match(said, 'transport.node-http provides it to the program alone: move edge.a to the features of `main`.')
})

test('a capability that another feature of the profile provides is taken', async () => {
  const folder = folderWith({
    'edge.ts': profile(
      "'edge.a': true, 'edge.b': true",
      `'edge.a': ${feature("plugin: './a/plugin.ts'")}, 'edge.b': ${feature("plugin: './b/plugin.ts'")}`,
    ),
    'a/plugin.ts': plugin("requires: ['Quotes'],"),
    'b/plugin.ts': plugin("provides: ['Quotes'],", 'edge.b'),
  })
  assert.is((await plan(join(folder, 'edge.ts'))).profile.name, 'edge')
})

test('plugins that require each other in a circle are refused by the build', async () => {
  const said = await refusal({
    'edge.ts': profile(
      "'edge.a': true, 'edge.b': true",
      `'edge.a': ${feature("plugin: './a/plugin.ts'")}, 'edge.b': ${feature("plugin: './b/plugin.ts'")}`,
    ),
    'a/plugin.ts': plugin("requires: ['Quotes'], provides: ['Authors'],"),
    'b/plugin.ts': plugin("requires: ['Authors'], provides: ['Quotes'],", 'edge.b'),
  })
  assert.match(said, 'ERR_PLUGIN_CYCLE')
  assert.match(said, 'edge.a → edge.b → edge.a')
})

test('a path where there is no file is said, with the file that was meant', async () => {
  const said = await refusal({
    'edge.ts': profile("'edge.a': true", `'edge.a': ${feature("plugin: './quote/plugni.ts'")}`),
    'quote/plugin.ts': plugin(''),
  })
  assert.match(said, 'ERR_FEATURE_MODULE: edge.a: there is no file ./quote/plugni.ts.')
  assert.match(said, 'Did you mean ./quote/plugin.ts?')
  const elsewhere = await refusal({
    'edge.ts': profile("'edge.a': true", `'edge.a': ${feature("plugin: './qoute/plugin.ts'")}`),
    'quote/plugin.ts': plugin(''),
  })
  assert.match(elsewhere, 'there is no file ./qoute/plugin.ts.')
  assert.match(elsewhere, 'Did you mean ./quote/plugin.ts?')
  for (const text of [said, elsewhere]) assert.not.match(text, /ENOENT|at \w+ \(/)
})

test('a profile whose file is not there, with the one that was meant', async () => {
  const folder = folderWith({ 'edge.ts': '' })
  const error = await plan(join(folder, 'egde.ts')).catch((thrown: unknown) => thrown)
  assert.ok(isSvcError(error, 'ERR_PROFILE_NOT_FOUND'))
  assert.match(error.hint!, `Did you mean ${join(folder, 'edge.ts')}?`)
})

test('what does not parse is shown: file, line, column and the line', async () => {
  const said = await refusal(one("const a = 1\nexport const plugin = { name 'a' }\n"))
  assert.match(said, './quote/plugin.ts cannot be loaded: ./quote/plugin.ts:2:30: Expected "}" but found "\'a\'"')
  assert.match(said, "\n      export const plugin = { name 'a' }\n                                   ^")
  assert.not.match(said, 'may neither write', 'that is not the reason')
})

test('so it is in a file that the plugin imports, and in the profile itself', async () => {
  const imported = await refusal({ ...one("import './words.ts'\n"), 'quote/words.ts': '\nexport const = 1\n' })
  assert.match(imported, './quote/words.ts:2:14: Expected identifier but found "="')
  const own = await refusal({ 'edge.ts': 'export const profile = {\n  name: edge edge,\n}\n' })
  assert.match(own, './edge.ts:2:14: Expected "}" but found "edge"')
  const missing = await refusal(one("import { words } from './wrods.ts'\nexport const plugin = words\n"))
  assert.match(missing, /\.\/quote\/plugin\.ts:1:23: Could not resolve "\.\/wrods\.ts"/)
})

test('what throws while it is loaded, and syntax that Node does not take, have their place too', async () => {
  const thrown = await refusal(one('const words = undefined\n\n  words.length\n'))
  assert.match(thrown, './quote/plugin.ts:3:9: Cannot read properties of undefined')
  assert.match(thrown, '\n        words.length\n')
  assert.match(thrown, 'by a process that may neither write nor start another')
  const enumeration = await refusal(one('export const a = 1\nenum Words { A }\n'))
  assert.match(enumeration, /\.\/quote\/plugin\.ts:2(?::\d+)?: .*enum/)
})

test('members that do not exist are said with the nearest, in plugins, features and profiles', async () => {
  assert.match(
    await refusal(one(plugin("require: ['Live'],"))),
    './quote/plugin.ts: `require` is no member of a plugin; did you mean `requires`?',
  )
  const row = await refusal({
    'edge.ts': profile("'edge.a': true", `'edge.a': ${feature("plugin: './a.ts', package: []")}`),
    'a.ts': plugin(''),
  })
  assert.match(row, '`package` is no member of a feature; did you mean `packages`? (edge.a)')
  const misspelt = await refusal({
    'edge.ts': "export const profile = { name: 'edge', summary: 'S', extend: 'minimal', library: { feature: {} } }",
  })
  assert.match(misspelt, '`extend` is no member of a profile; did you mean `extends`?')
  assert.match(misspelt, '`feature` is no member of a target; did you mean `features`?')
})

test('operations of a route that is misspelt, a feature in `requires`, a variant', async () => {
  const route = "{ surface: 'runtime', method: 'GET', path: '/edge/quote', auth: 'handler' }"
  const said = await refusal({
    'edge.ts': profile(
      "'edge.a': true",
      `'edge.a': ${feature("plugin: './a/plugin.ts', operations: './a/operations.ts'")}`,
    ),
    'a/plugin.ts': plugin(`routes: [${route}],`),
    'a/operations.ts': "export const operations = { 'runtime GET /edge/qoute': { id: 'quote', answers: {} } }",
  })
  assert.match(said, 'The operations of edge.a describe "runtime GET /edge/qoute", which is none of its routes.')
  assert.match(said, 'Did you mean "runtime GET /edge/quote"?')
  const required = await refusal({
    'edge.ts': profile("'edge.a': true", `'edge.a': ${feature("plugin: './a.ts', requires: ['realtime.lvie']")}`),
    'a.ts': plugin(''),
  })
  assert.match(required, 'There is no feature of that name: did you mean realtime.live?')
  const variant = await refusal({
    'edge.ts': profile("'edge.a': true, 'telemetry.logs': 'lit'", `'edge.a': ${feature("plugin: './a.ts'")}`),
    'a.ts': plugin(''),
  })
  assert.match(variant, "write 'telemetry.logs': 'lite'")
})

test.run()
