/** What was built is started once before it is delivered. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { profile as serverFull } from '../../../profiles/server-full.ts'
import { type BuildOptions, type Built, buildProfile } from '../../../scripts/build/build.ts'
import { buildDir } from '../../../scripts/build/paths.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import type { ProofFile } from '../../../scripts/build/prove/dist.ts'
import { startOnce } from '../../../scripts/build/start/start.ts'
import { bundlesOf } from '../../support/bundles.ts'
import { featureText } from '../../support/feature-text.ts'
import { folderWith } from '../../support/folder.ts'
import { ownProfile } from '../../support/own-profile.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('start of what was built')
const name = `start-test-${process.pid}`
const dist = folderWith()

test.after(() => rmSync(buildDir(name), { recursive: true, force: true }))

const featureThat = (setup: string, settings = ''): string =>
  featureText({ id: 'edge.quote', does: `${settings} setup(ctx) { ${setup} },` })

/** Starts the bundles of a profile, as the last stage of a build does before it delivers them. */
async function startAlone(profile: string): Promise<void> {
  const planned = await plan(profile, undefined, true)
  await startOnce(planned, await bundlesOf(planned))
}

async function build(profile: string, options: BuildOptions = {}): Promise<Built | { code: string; message: string }> {
  const before = process.env['SVC_DIST']
  process.env['SVC_DIST'] = dist
  try {
    return await buildProfile(profile, 'pack', undefined, options)
  } catch (error) {
    if (!isSvcError(error)) throw error
    return error
  } finally {
    if (before === undefined) delete process.env['SVC_DIST']
    else process.env['SVC_DIST'] = before
  }
}

const proof = (): ProofFile => JSON.parse(readFileSync(join(dist, name, 'proof.json'), 'utf8')) as ProofFile

test('code that throws at its start delivers nothing, and the error has its words', async () => {
  const built = await build(ownProfile({ name, feature: featureThat("throw new Error('the oven is cold')") }))
  assert.ok('code' in built)
  assert.is(built.code, 'ERR_BUILD_START')
  assert.match(built.message, /^(?:index\.mjs|svc\.mjs): It does not start:/)
  assert.match(built.message, 'the oven is cold')
  assert.not.ok(existsSync(join(dist, name)))
})

test('a plugin that cannot start without a setting starts with that of the profile', async () => {
  const needs = featureThat(
    "if (ctx.settings['edge.oven'] !== 'warm') throw new Error('the oven is cold')",
    "settings: { 'edge.oven': text({ default: 'cold', summary: 'The oven.' }) },",
  )
  const cold = await startAlone(ownProfile({ name, feature: needs })).catch((error: unknown) => error)
  assert.ok(isSvcError(cold, 'ERR_BUILD_START'), String(cold))
  assert.match(cold.message, 'the oven is cold')
  const built = await build(ownProfile({ name, feature: needs, rest: "startSettings: { 'edge.oven': 'warm' }," }))
  assert.ok('folder' in built, 'message' in built ? built.message : '')
  assert.is(proof().started, true)
})

test('a program without probes starts, though another surface than that of its port has /health', async () => {
  const folder = folderWith({
    'edge.ts': `export const profile = {
      name: '${name}',
      summary: 'Pushes alone',
      library: { platform: 'web', features: { 'transport.fetch': true } },
      main: {
        platform: 'node',
        features: {
          cli: true, 'realtime.streams': true, 'sync.api': true, 'sync.engine': true, 'sync.store-sqlite': true,
          'transport.node-http': true, 'transport.unix': true,
        },
      },
      builtins: ${JSON.stringify(serverFull.builtins)},
    }`,
  })
  await startAlone(join(folder, 'edge.ts'))
})

test('a build without its start says so in its proof', async () => {
  const built = await build(ownProfile({ name, feature: featureThat("throw new Error('x')") }), { start: false })
  assert.ok('folder' in built)
  assert.is(proof().started, false)
})
