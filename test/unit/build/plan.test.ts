/** All problems of a wrong profile are reported together, each with a hint. */
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { importModule } from '../../../scripts/build/modules/read-module.ts'
import { byFamily } from '../../../scripts/build/plan/absence-hints.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { plan, planLoaded } from '../../../scripts/build/plan/plan.ts'
import type { Plan } from '../../../scripts/build/plan/target-plan.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'
import '../../../scripts/build/modules/resolve-hook.ts'

const test = suite('plan')

/** Plans a profile whose modules are read in this process; plugin-author.test.ts reads them as a build does. */
async function planHere(file: string): Promise<Plan> {
  return planLoaded(await loadProfile(file, undefined, importModule))
}

/** The code, message and hint with which the plan of a profile is refused. */
async function refusal(files: Readonly<Record<string, string>>): Promise<{ code: string; text: string }> {
  const folder = folderWith(files)
  try {
    await planHere(join(folder, 'edge.ts'))
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { code: error.code, text: `${error.message}\n${error.hint ?? ''}` }
  }
  throw new Error('the profile was taken')
}

const profile = (rest: string): string => `export const profile = { name: 'edge', summary: 'Edge', ${rest} }`
/** A module with a feature whose route is public. */
const opening = (path: string): string =>
  featureText({
    id: 'edge.a',
    does: `routes: (route) => [route('GET ${path}', { auth: 'none', handler: () => ({ status: 200 }) })],`,
  })

test('an open path is exact and belongs to one feature', async () => {
  for (const path of ['/edge/', '/edge/:id', 'edge', '/edge/../x', '/edge%20', '/', '/edge?x', '//edge', '/.']) {
    const { code, text } = await refusal({
      'edge.ts': profile(`library: { platform: 'web', features: {} },
        own: { 'edge.a': './a.ts' }`),
      'a.ts': opening(path),
    })
    assert.is(code, 'ERR_PROFILE_INVALID')
    assert.match(text, `edge.a opens "${path}", which is no exact path.`)
  }
  const { text } = await refusal({
    'edge.ts': profile(`library: { platform: 'web', features: {} },
      own: { 'edge.a': './a.ts' }`),
    'a.ts': opening('/metrics'),
  })
  assert.match(text, 'Both telemetry.metrics and edge.a open the path /metrics.')
})

test('a route belongs to one plugin', async () => {
  const module = (id: string, path: string): string =>
    featureText({ id, does: `routes: (route) => [route('GET ${path}', { handler: () => ({ status: 200 }) })],` })
  const { code, text } = await refusal({
    'edge.ts': profile(`library: { platform: 'web', features: { 'edge.a': true, 'edge.b': true } },
      own: { 'edge.a': './a.ts', 'edge.b': './b.ts' }`),
    'a.ts': module('edge.a', '/edge/:one'),
    'b.ts': module('edge.b', '/edge/:other'),
  })
  assert.is(code, 'ERR_PROFILE_INVALID')
  assert.match(text, 'Both edge.a and edge.b declare the route GET /edge/:other of the runtime surface')
})

test('a target has the open paths of all existing features', async () => {
  const folder = folderWith({
    'edge.ts': profile(`library: { platform: 'web', features: { probes: true } },
      own: { 'edge.a': './a.ts' }`),
    'a.ts': opening('/edge/status'),
  })
  const { targets } = await planHere(join(folder, 'edge.ts'))
  assert.equal(targets[0]!.open, ['/health', '/healthz', '/readyz', '/metrics', '/edge/status'])
  const { targets: bare } = await plan('embedded-mobile')
  assert.equal(bare[0]!.open, [], 'a library without surfaces has none')
})

test('all problems are reported together, with hints', async () => {
  const { code, text } = await refusal({
    'edge.ts': profile(`library: { platform: 'web', features: {
        'probs': true, 'telemetry.metrics': true, 'edge.a': true, 'edge.c': true, 'telemetry.logs': 'parchment', 'transport.fetch': 'fast',
      } },
      own: {
        'edge.a': './a.ts', 'edge.c': './c.ts', 'edge.idle': './idle.ts',
        'edge.i-dle': './dash.ts', 'edge.i.dle': './dot.ts', probes: './probes.ts',
      }`),
    'a.ts': featureText({
      id: 'edge.a',
      about: "requires: ['edge.gone'], conflicts: ['edge.c']",
      does: 'setup() { if (__EDGE_GONE__) return },',
    }),
    'c.ts': featureText({ id: 'edge.c', does: 'setup() {},' }),
    'idle.ts': featureText({ id: 'edge.idle' }),
    'dash.ts': featureText({ id: 'edge.i-dle', does: 'setup() {},' }),
    'dot.ts': featureText({ id: 'edge.i.dle', does: 'setup() {},' }),
    'probes.ts': featureText({ id: 'probes', does: 'setup() {},' }),
  })
  assert.is(code, 'ERR_PROFILE_INVALID')
  for (const expected of [
    'own feature "probes" has the name of a feature of the matrix',
    'There is no feature "probs"',
    'Did you mean probes?',
    'telemetry.metrics runs on platform "node", and the platform here is "web"',
    "set `platform: 'node'`",
    'edge.a requires edge.gone',
    'There is no feature of that name',
    'edge.a conflicts with edge.c',
    'telemetry.logs has no variant "parchment"',
    'Its variants are pino, lite, console',
    'transport.fetch has no variant "fast"',
    'edge.idle names no code',
    '"edge.i-dle" and "edge.i.dle" are both __EDGE_I_DLE__',
    './a.ts:6: no feature declares __EDGE_GONE__',
  ]) {
    assert.ok(text.includes(expected), `missing: ${expected}\n${text}`)
  }
})

test('a problem with a feature of both bundles is reported once', async () => {
  const { text } = await refusal({ 'edge.ts': profile("extends: 'minimal', library: { features: { probs: true } }") })
  assert.is(text.split('There is no feature').length, 2)
})

test('a feature whose line was forgotten is refused with the place of the line', async () => {
  const { text } = await refusal({
    'edge.ts': profile("extends: 'minimal', library: { features: { 'zz.unlisted': true } }"),
  })
  assert.match(text, 'There is no feature "zz.unlisted" (library).')
  assert.match(text, 'make matrix lists the features.')
  assert.match(text, 'a line in `own` of the profile, a feature of this project a line in profiles/features.ts.')
})

test('a program without a main module or with two is refused', async () => {
  const none = await refusal({
    'edge.ts': profile(
      "library: { platform: 'web', features: { probes: true } }, main: { platform: 'node', features: {} }",
    ),
  })
  assert.is(none.code, 'ERR_FEATURE_REQUIRES')
  assert.match(none.text, "Add 'cli': true")
  const two = await refusal({
    'edge.ts': profile(`extends: 'minimal', library: {}, main: { features: { 'edge.main': true } },
      own: { 'edge.main': './feature.ts' }`),
    'feature.ts': featureText({ id: 'edge.main', about: "main: './main.ts'", platform: 'node' }),
    'main.ts': 'export const main = () => undefined',
  })
  assert.is(two.code, 'ERR_FEATURE_CONFLICT')
  assert.match(two.text, 'cli and edge.main both have a main module')
})

test('an unknown profile is refused with the nearest name', async () => {
  try {
    await plan('minmal')
    assert.unreachable()
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_PROFILE_NOT_FOUND'))
    assert.match(error.hint!, 'Did you mean minimal?')
  }
})

const invalid: Readonly<Record<string, readonly [string, string]>> = {
  'no profile': ['export const other = 1', 'exports no profile'],
  'an invalid name': ["export default { name: '../edge', summary: 'S', library: {} }", '`name` of lower-case'],
  'no summary': ["export default { name: 'edge', library: {} }", '`summary`'],
  'no library': ["export default { name: 'edge', summary: 'S' }", '`library`'],
  'a profile that extends itself': [profile("extends: './edge.ts', library: {}"), 'extends itself'],
  'a feature that is no module': [
    profile("library: {}, own: { 'edge.x': { summary: 'S' } }"),
    "`own` names the module that exports the feature edge.x: write 'edge.x': './feature.ts'",
  ],
  'a package that is not installed': [
    profile("library: {}, own: { 'edge.x': 'not-here' }"),
    'package "not-here" cannot be found',
  ],
}

for (const [name, [text, expected]] of Object.entries(invalid)) {
  test(`${name} is refused`, async () => {
    const { code, text: said } = await refusal({ 'edge.ts': text })
    assert.is(code, 'ERR_PROFILE_INVALID')
    assert.match(said, expected)
  })
}

test('a library names a whole family of settings if it has none of them, and beside it those that fewer or other profiles have', () => {
  const absent = { 'a.x': ['full'], 'a.y': ['full'], 'b.x': ['full'], 'c.x': ['full'], 'c.y': ['full', 'other'] }
  assert.equal(byFamily(absent, ['b.y', 'd.x']), {
    'a.*': ['full'],
    'b.x': ['full'],
    'c.*': ['full'],
    'c.y': ['full', 'other'],
  })
})

test.run()
