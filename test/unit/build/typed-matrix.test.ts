/**
 * The compiler checks rows and profiles of the matrix. Errors that it cannot find are refused when features are
 * located.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type About, defineFeature } from '../../../core/declare/feature.ts'
import type { Feature, FeatureId, MatrixSet } from '../../../core/declare/matrix.ts'
import type { GuardVariant } from '../../../plugins/auth/guard/variant.ts'
import { matrix } from '../../../profiles/matrix.ts'
import { root } from '../../../scripts/build/paths.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { locateFeature, matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { standardProfiles } from '../../../scripts/build/plan/read-profile.ts'
import { compareVersions } from '../../../scripts/build/policy/compare-versions.ts'
import { version } from '../../../scripts/build/version.ts'

const test = suite('typed matrix')
const row = {
  summary: 'S',
  stability: 'stable',
  since: '1.0.0',
  platform: 'web',
  contract: { present: [], absent: [] },
} as const

const web = () => import('../../../plugins/auth/guard/web.ts')

// These lines are tested by the compiler: a missing expected error fails the type check.
export const rows: readonly Feature<FeatureId>[] = [
  // @ts-expect-error There is no feature of this id.
  { ...row, requires: ['auth.guards'] } satisfies Feature<'probes'>,
  // @ts-expect-error The module exports no commands.
  { ...row, commands: () => import('../../../plugins/auth/jwt/feature.ts') } satisfies Feature<'probes'>,
]

// @ts-expect-error A variant is missing.
export const guard: About<'auth.guard', GuardVariant> = { ...row, variants: { web } }

// @ts-expect-error A standard profile cannot choose an unknown feature.
export const unknown: MatrixSet = { prob: true }
// @ts-expect-error There is no such variant.
export const noVariant: MatrixSet = { 'auth.guard': 'bare' }
// @ts-expect-error A feature with variants needs the name of a variant.
export const unchosen: MatrixSet = { 'auth.guard': true }
// @ts-expect-error A feature without variants is chosen by true.
export const variant: MatrixSet = { probes: 'web' }

test('every row of the matrix has its folder, and all its modules are in the folder', () => {
  for (const [id, { folder, plugin, commands, exports, main, code }] of Object.entries(matrixFeatures)) {
    assert.ok(existsSync(join(folder!, 'feature.ts')), id)
    const plugins = typeof plugin === 'object' ? Object.values(plugin) : [plugin]
    const modules = [...plugins, commands, main, code, ...Object.values(exports ?? {})]
    for (const module of modules) if (module !== undefined) assert.ok(module.startsWith(`${folder}/`), module)
  }
})

test('every feature is in a profile of the project, and there is the version that it names', async () => {
  const profiles = await Promise.all(standardProfiles().map((name) => loadProfile(name)))
  const chosen = new Set(
    profiles.flatMap(({ library, main }) => Object.keys({ ...library.features, ...main?.features })),
  )
  for (const [id, { since }] of Object.entries(matrix)) {
    assert.ok(chosen.has(id), `${id}: no profile has it, so nothing builds it or tests it`)
    assert.ok(compareVersions(since, version) <= 0, `${id}: since ${since}, and the version is ${version}`)
  }
})

test('no row names a module by a string', () => {
  for (const [id, { variants, commands, exports, main, code }] of Object.entries(matrix)) {
    for (const ref of [...Object.values(variants ?? {}), commands, main, code, ...Object.values(exports ?? {})])
      assert.is.not(typeof ref, 'string', id)
  }
})

const value = defineFeature({ id: 'edge.x', about: row })

test('a function that is not a literal import is refused', () => {
  const path = './commands.ts'
  for (const commands of [() => import(path), async () => ({ commands: [] })]) {
    assert.throws(
      () => locateFeature({ ...row, value, commands }, join(root, 'edge/feature.ts')),
      (error: Error & { hint?: string }) => /no literal import/.test(error.message) && /import\('/.test(error.hint!),
    )
  }
})

test('modules are resolved relative to the module of the feature', () => {
  const folder = join(root, 'plugins/auth/jwt')
  const located = locateFeature({ ...row, value, commands: './commands.ts' }, join(folder, 'feature.ts'))
  assert.is(located.commands, join(folder, 'commands.ts'))
  assert.is(located.plugin, undefined)
})

test.run()
