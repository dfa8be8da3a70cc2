/** The errors that the author of a plugin gets: the problem, its place, and what was probably meant. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { importModule } from '../../../scripts/build/modules/read-module.ts'
import '../../../scripts/build/modules/resolve-hook.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { plan, planLoaded } from '../../../scripts/build/plan/plan.ts'
import { operationsOf } from '../../../scripts/build/plan/plan-feature.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('plugin author')

type Files = Readonly<Record<string, string>>

/**
 * The message and hint with which the plan of a profile is refused. Its modules are read in this process, which is
 * much faster than the process that a build starts for each.
 */
function refusal(files: Files): Promise<string> {
  return messageOf(files, async (file) => planLoaded(await loadProfile(file, undefined, importModule)))
}

/** The same for a profile whose modules are read as a build does, for errors in the modules themselves. */
function refusalOfBuild(files: Files): Promise<string> {
  return messageOf(files, (file) => plan(file))
}

async function messageOf(files: Files, planned: (file: string) => Promise<unknown>): Promise<string> {
  const folder = folderWith(files)
  try {
    await planned(join(folder, 'edge.ts'))
  } catch (error) {
    if (!isSvcError(error)) throw error
    return `${error.code} ${error.message}\n${error.hint ?? ''}`
  }
  throw new Error('the profile was taken')
}

const profile = (features: string, own: string, rest = "extends: 'minimal',"): string =>
  `export const profile = { name: 'edge', summary: 'Edge', ${rest} library: { features: { ${features} } }, own: { ${own} } }`
const feature = (does: string, id = 'edge.a', about = ''): string =>
  featureText({ id, about, does: `${does} setup() {},` })

/** A profile with one feature whose module has the given text. */
const profileWith = (text: string): Readonly<Record<string, string>> => ({
  'edge.ts': profile("'edge.a': true", "'edge.a': './quote/feature.ts'"),
  'quote/feature.ts': text,
})

test('an unknown capability is reported with the plugin, the capability and the nearest name', async () => {
  const message = await refusal(profileWith(feature("needs: { Lvie: 'required', Quotas: 'required' },")))
  assert.match(message, 'ERR_FEATURE_REQUIRES')
  assert.match(
    message,
    'The plugin "edge.a" of edge.a requires the capability Lvie, which no plugin of the profile provides',
  )
  assert.match(message, 'Did you mean Live?')
  assert.match(message, 'requires the capability Quotas')
  assert.match(message, "write a plugin with `provides: ['Quotas']`")
  assert.match(message, '2 problems')
})

test('the names and paths of the matrix are reserved, whether their feature is present or not', async () => {
  const named = await refusal(profileWith(feature("name: 'telemetry.metrics',")))
  assert.match(named, 'ERR_PROFILE_INVALID')
  assert.match(named, 'is named "telemetry.metrics", which is the name of a feature or a plugin of the matrix')
  for (const [path, owner] of [
    ['/metrics', 'telemetry.metrics'],
    ['/api/svc/runs/:other', 'realtime.runs'],
  ] as const) {
    const message = await refusal(
      profileWith(feature(`routes: (route) => [route('GET ${path}', { handler: () => ({ status: 200 }) })],`)),
    )
    assert.match(message, `of the runtime surface, which is that of ${owner}`)
    assert.match(message, `add '${owner}' to the features`)
  }
})

test('the old id of a renamed feature is reported with the new id', async () => {
  assert.match(
    await refusal({ 'edge.ts': profile("'sync.boards': true", '') }),
    'There is no feature "sync.boards" (library).\n',
  )
  assert.match(await refusal({ 'edge.ts': profile("'sync.peers': true", '') }), 'It is called peer.registry now.')
})

test('a capability that an absent feature provides is reported with that feature', async () => {
  const message = await refusal(profileWith(feature("needs: { Telemetry: 'required' },")))
  assert.match(message, "telemetry.metrics provides it: add 'telemetry.metrics' to the features, or take edge.a out.")
})

test('a library feature that requires a capability of the program gets the hint to move to `main`', async () => {
  const message = await refusal(profileWith(feature("needs: { HttpServer: 'required' },")))
  assert.match(message, 'requires the capability HttpServer, which no plugin of the profile provides (library)')
  assert.match(message, 'transport.node-http provides it to the program alone: move edge.a to the features of `main`.')
})

test('a capability that another feature of the profile provides is accepted', async () => {
  const folder = folderWith({
    'edge.ts': profile("'edge.a': true, 'edge.b': true", "'edge.a': './a/feature.ts', 'edge.b': './b/feature.ts'"),
    'a/feature.ts': feature("needs: { Quotes: 'required' },"),
    'b/feature.ts': feature("provides: ['Quotes'],", 'edge.b'),
  })
  assert.is((await plan(join(folder, 'edge.ts'))).profile.name, 'edge')
})

test('plugins that require each other in a cycle are refused by the build', async () => {
  const message = await refusal({
    'edge.ts': profile("'edge.a': true, 'edge.b': true", "'edge.a': './a/feature.ts', 'edge.b': './b/feature.ts'"),
    'a/feature.ts': feature("needs: { Quotes: 'required' }, provides: ['Authors'],"),
    'b/feature.ts': feature("needs: { Authors: 'required' }, provides: ['Quotes'],", 'edge.b'),
  })
  assert.match(message, 'ERR_PLUGIN_CYCLE')
  assert.match(message, 'edge.a → edge.b → edge.a')
})

test('a path without a file is reported with the nearest file', async () => {
  const message = await refusalOfBuild({
    'edge.ts': profile("'edge.a': true", "'edge.a': './quote/faeture.ts'"),
    'quote/feature.ts': feature(''),
  })
  assert.match(message, 'ERR_FEATURE_MODULE: edge.a: there is no file ./quote/faeture.ts.')
  assert.match(message, 'Did you mean ./quote/feature.ts?')
  const elsewhere = await refusalOfBuild({
    'edge.ts': profile("'edge.a': true", "'edge.a': './qoute/feature.ts'"),
    'quote/feature.ts': feature(''),
  })
  assert.match(elsewhere, 'there is no file ./qoute/feature.ts.')
  assert.match(elsewhere, 'Did you mean ./quote/feature.ts?')
  for (const text of [message, elsewhere]) assert.not.match(text, /ENOENT|at \w+ \(/)
})

test('a profile without a file is reported with the nearest file', async () => {
  const folder = folderWith({ 'edge.ts': '' })
  const error = await plan(join(folder, 'egde.ts')).catch((thrown: unknown) => thrown)
  assert.ok(isSvcError(error, 'ERR_PROFILE_NOT_FOUND'))
  assert.match(error.hint!, `Did you mean ${join(folder, 'edge.ts')}?`)
})

test('a syntax error is reported with its file, line, column and source line', async () => {
  const message = await refusalOfBuild(profileWith("const a = 1\nexport const feature = { id 'a' }\n"))
  assert.match(message, './quote/feature.ts cannot be loaded: ./quote/feature.ts:2:29: Expected "}" but found "\'a\'"')
  assert.match(message, "\n      export const feature = { id 'a' }\n                                  ^")
  assert.not.match(message, 'may neither write', 'that is not the reason')
})

test('a syntax error in the profile is reported with its place', async () => {
  const own = await refusalOfBuild({ 'edge.ts': 'export const profile = {\n  name: edge edge,\n}\n' })
  assert.match(own, './edge.ts:2:14: Expected "}" but found "edge"')
})

test('unknown members of features and profiles are reported with the nearest name', async () => {
  assert.match(
    await refusal(profileWith(feature("need: { Live: 'required' },"))),
    './quote/feature.ts: `need` is no member of a feature; did you mean `needs`?',
  )
  const misspelt = await refusal({
    'edge.ts': "export const profile = { name: 'edge', summary: 'S', extend: 'minimal', library: { feature: {} } }",
  })
  assert.match(misspelt, '`extend` is no member of a profile; did you mean `extends`?')
  assert.match(misspelt, '`feature` is no member of a target; did you mean `features`?')
})

test('a misspelt feature in `requires` or variant is reported with the nearest name', async () => {
  const required = await refusal(profileWith(feature('', 'edge.a', "requires: ['realtime.lvie']")))
  assert.match(required, 'There is no feature of that name: did you mean realtime.live?')
  const variant = await refusal({ 'edge.ts': profile("'telemetry.logs': 'lit'", '') })
  assert.match(variant, "write 'telemetry.logs': 'lite'")
})

/** A profile that names a feature by its module. */
const profileOf = (
  files: Readonly<Record<string, string>>,
  own = "'edge.a': './a.ts'",
): Readonly<Record<string, string>> => ({
  'edge.ts': profile("'edge.a': true", own),
  ...files,
})
const value = (rest: string, aboutRest = ''): string => `import { defineFeature, described } from 'svc/plugin'
export const feature = defineFeature({
  id: 'edge.a',
  about: described({ summary: 'S', stability: 'stable', since: '1.0.0', platform: 'web', contract: { present: [], absent: [] }, ${aboutRest} }),
  ${rest}
})
`

test('a feature that is one value is read from its module, with its routes, operations and public paths', async () => {
  const folder = folderWith(
    profileOf(
      {
        'a.ts': `import type { Quotes } from './quotes.ts'
${value(
  `routes: (route) => [route('GET /edge/open', {
            about: described({ id: 'open', summary: 'Open.', answers: { 200: { description: 'Yes.' } } }),
            auth: 'none', handler: () => ({ status: 200 }),
          })],`,
  "requires: ['edge.b'],",
)}`,
        'quotes.ts': 'export type Quotes = string\n',
        'b/feature.ts': value('', 'owns: ["./words.txt"],').replace("id: 'edge.a'", "id: 'edge.b'"),
        'b/words.txt': '',
      },
      "'edge.a': './a.ts', 'edge.b': () => import('./b/feature.ts')",
    ),
  )
  writeFileSync(
    join(folder, 'edge.ts'),
    readFileSync(join(folder, 'edge.ts'), 'utf8').replace("'edge.a': true", "'edge.a': true, 'edge.b': true"),
  )
  const { knownFeatures, targets } = await plan(join(folder, 'edge.ts'))
  const { 'edge.a': a, 'edge.b': b } = knownFeatures
  assert.equal(a!.open, ['/edge/open'])
  assert.equal(Object.keys(operationsOf(a!)), ['runtime GET /edge/open'])
  assert.equal([a!.summary, a!.declaration, a!.folder], ['S', join(folder, 'a.ts'), undefined])
  assert.equal([b!.folder, b!.owns], [join(folder, 'b'), [join(folder, 'b/words.txt')]])
  assert.ok(targets[0]!.open.includes('/edge/open'))
})

test('each mistake in a module that should export a feature is reported with the file and what to write', async () => {
  for (const [text, says] of [
    [
      'export const plugin = 1',
      /edge\.a: \.\/a\.ts exports no `feature`\.[\s\S]*defineFeature\(\{ id: 'edge\.a', … \}\)/,
    ],
    ['export const feature = { summary: "S" }', /exports no `feature`/],
    [value('').replace("id: 'edge.a'", "id: 'edge.b'"), /defines "edge\.b", and the profile names it for edge\.a/],
    [
      "import { defineFeature } from 'svc/plugin'\nexport const feature = defineFeature({ id: 'edge.a' })",
      /has no `about`/,
    ],
    [value('', 'package: [],'), /`package` is no member of `about`; did you mean `packages`\?/],
  ] as const)
    assert.match(await refusalOfBuild(profileOf({ 'a.ts': text })), says)
})

test.run()
