/**
 * The compiler checks rows and profiles of the matrix. Errors that it cannot find are refused when features are
 * located.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { About } from '../../../core/declare/feature.ts'
import type { Feature, FeatureId, MatrixSet } from '../../../core/feature.ts'
import type { GuardVariant } from '../../../plugins/auth/guard/variant.ts'
import { matrix } from '../../../profiles/matrix.ts'
import { root } from '../../../scripts/build/paths.ts'
import { locateFeatures, matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'

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
  // @ts-expect-error The module exports no plugin.
  { ...row, plugin: () => import('../../../plugins/probes/readiness.ts') } satisfies Feature<'probes'>,
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

test('no row names a module by a string', () => {
  for (const [id, { plugin, commands, exports, main, code }] of Object.entries(matrix as Record<string, Feature>)) {
    const plugins = typeof plugin === 'object' ? Object.values(plugin) : [plugin]
    for (const ref of [...plugins, commands, main, code, ...Object.values(exports ?? {})])
      assert.is.not(typeof ref, 'string', id)
  }
})

test('a function that is not a literal import is refused', () => {
  const path = './plugin.ts'
  for (const plugin of [() => import(path), async () => ({ plugin: undefined as never })]) {
    assert.throws(
      () => locateFeatures({ 'edge.x': { ...row, plugin } as Feature }, root),
      (error: Error & { hint?: string }) => /no literal import/.test(error.message) && /import\('/.test(error.hint!),
    )
  }
})

test('modules are resolved relative to the row, or else to the profile', () => {
  const at = new URL('../../../plugins/auth/jwt/feature.ts', import.meta.url).href
  const plugin = './plugin.ts'
  const located = locateFeatures({ a: { ...row, at, plugin }, b: { ...row, plugin } }, join(root, 'plugins/auth/jwks'))
  assert.is(located['a']!.plugin, join(root, 'plugins/auth/jwt/plugin.ts'))
  assert.is(located['b']!.plugin, join(root, 'plugins/auth/jwks/plugin.ts'))
})

test.run()
