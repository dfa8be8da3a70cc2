import { fileURLToPath } from 'node:url'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Profile, TargetSpec } from '../../../core/declare/matrix.ts'
import { profile as embeddedMobile } from '../../../profiles/embedded-mobile.ts'
import { profile as minimal } from '../../../profiles/minimal.ts'
import { profile as serverFull } from '../../../profiles/server-full.ts'
import { shown } from '../../../scripts/build/paths.ts'
import { type LocatedFeature, matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { bundledGraph, type Edge, importsOf, reach, readGraph } from '../import-graph.ts'
import { order, violations } from '../rules.ts'
import { textsOf } from '../sources.ts'

export const test: Test = suite('layering')

const root = fileURLToPath(new URL('../../..', import.meta.url))
const edges = readGraph(root)
const bundled = await bundledGraph(root, edges)
const edge = (from: string, to: string, typeOnly = false): Edge => ({ from, to, typeOnly })

test('each family of features has its place in the line', () => {
  const families = new Set(Object.keys(matrixFeatures).map((id) => id.split('.')[0]!))
  assert.equal(
    [...families].filter((family) => !order.includes(family)),
    [],
    'add it to `order` of test/architecture/rules.ts, and to docs/architecture.md',
  )
})

test('imports run one way', () => {
  assert.equal(violations(edges), [])
})

test('the graph contains imports of the real sources', () => {
  const has = (from: string, to: string, typeOnly: boolean): boolean =>
    edges.some((edge) => edge.from === from && edge.to === to && edge.typeOnly === typeOnly)
  assert.ok(has('core/http/match.ts', 'itty-router/IttyRouter', false))
  assert.ok(has('core/kernel/compose.ts', 'core/kernel/order.ts', false))
  assert.ok(has('core/kernel/order.ts', 'core/declare/plugin.ts', true))
  assert.ok(has('plugins/probes/feature.ts', 'core/declare/feature.ts', false))
  assert.ok(has('profiles/features.ts', 'plugins/probes/feature.ts', false))
  assert.ok(has('scripts/loader.ts', 'node:module', false))
  assert.ok(edges.every(({ to }) => !to.startsWith('.')))
})

test('an import that breaks any of the rules is found', () => {
  const wrong = [
    edge('core/kernel/kernel.ts', 'plugins/probes/feature.ts'),
    edge('core/kernel/kernel.ts', 'plugins/probes/api.ts', true),
    edge('core/kernel/kernel.ts', 'node:fs'),
    edge('core/kernel/kernel.ts', 'pino'),
    edge('core/kernel/kernel.ts', 'profiles/matrix.ts'),
    edge('plugins/probes/feature.ts', 'plugins/auth/api.ts'),
    edge('plugins/probes/feature.ts', 'plugins/auth/token/plugin.ts', true),
    edge('plugins/auth/users-admin/feature.ts', 'plugins/realtime/runs/api.ts', true),
    edge('plugins/protocol/canonical.ts', 'plugins/sync/api.ts', true),
    edge('plugins/probes/feature.ts', 'profiles/matrix.ts'),
    edge('plugins/probes/feature.ts', 'scripts/build/plan/plan.ts'),
    edge('plugins/probes/feature.ts', 'test/support/skip.ts'),
    edge('profiles/matrix.ts', 'scripts/build/plan/plan.ts'),
    edge('profiles/matrix.ts', 'node:fs'),
    edge('scripts/build/plan/plan.ts', 'test/run.ts'),
    edge('scripts/build/plan/plan.ts', 'typescript'),
  ]
  for (const violation of wrong) assert.is(violations([violation]).length, 1, `${violation.from} → ${violation.to}`)
  const right = [
    edge('core/kernel/kernel.ts', 'core/kernel/order.ts'),
    edge('core/http/match.ts', 'itty-router'),
    edge('plugins/auth/jwt/plugin.ts', 'plugins/auth/token/parse.ts'),
    edge('plugins/probes/feature.ts', 'plugins/transport/fetch/api.ts', true),
    edge('plugins/probes/feature.ts', 'plugins/protocol/canonical.ts'),
    edge('plugins/probes/feature.ts', 'valibot'),
    edge('plugins/probes/feature.ts', 'node:fs'),
    edge('profiles/matrix.ts', 'plugins/probes/contract.ts'),
    edge('scripts/build/plan/plan.ts', 'profiles/matrix.ts'),
    edge('test/run.ts', 'scripts/build/plan/plan.ts'),
    edge('scripts/build/plan/plan.ts', 'typescript', true),
  ]
  assert.equal(violations(right), [])
})

/** Names that no source of `plugins/sync` contains: those of the families that build on sync, and of their tables. */
const ABOVE_SYNC: readonly RegExp[] = [
  // The interface uses these names for the domains of pushes.
  /kbd(?!-(?:control|content|device)\b|-\(\?:control\|content\))/i,
  /__PEER_/,
  /\bpeer\.(?:core|registry|tls)\b/,
  /\b(?:FROM|INTO|UPDATE|TABLE|JOIN) (?:peers|peer_\w+)\b/,
]

/** The sources of `plugins/sync` that import or name a family that builds on sync. */
function aboveSync(graph: readonly Edge[], sources: Readonly<Record<string, string>>): string[] {
  const imports = graph.filter(({ from, to }) => /^plugins\/sync\//.test(from) && /^plugins\/(?:kbd|peer)\//.test(to))
  const names = Object.entries(sources).flatMap(([file, text]) =>
    ABOVE_SYNC.flatMap((name) => {
      const [word] = name.exec(text) ?? []
      return word === undefined ? [] : [`${file}: ${word}`]
    }),
  )
  return [...imports.map(({ from, to }) => `${from} → ${to}`), ...names]
}

test('sync neither imports nor names boards and peers, which build on sync', () => {
  const sources = textsOf('plugins/sync/**/*.ts')
  assert.ok(sources.size > 50)
  assert.equal(aboveSync(edges, Object.fromEntries(sources)), [])
  const wrong = edge('plugins/sync/engine/engine.ts', 'plugins/kbd/api.ts', true)
  assert.equal(aboveSync([wrong], {}).length, 1)
  for (const text of ['__KBD_ENGINE__', 'kbd_commands', 'svc::kbd', '__PEER_REGISTRY__', 'peer.core', 'FROM peers'])
    assert.equal(aboveSync([], { 'a.ts': text }).length, 1, text)
  assert.equal(aboveSync([], { 'a.ts': "'kbd-control:demo', perPeer, a peer" }), [])
})

test('every form of import is found', () => {
  const text = `
    import a, { type B } from './a.ts'
    import type C from '../core/c.ts'
    import 'fs'
    export * from './d.ts'
    export type { E } from './e.ts'
    type F = import('./f.ts').F
    const g = await import('./g.ts')
    const h = require('node:path')
    import type {} from 'svc/plugin'`
  assert.equal(
    importsOf('plugins/x.ts', text).map(({ to, typeOnly }) => [to, typeOnly]),
    [
      ['plugins/a.ts', false],
      ['core/c.ts', true],
      ['node:fs', false],
      ['plugins/d.ts', false],
      ['plugins/e.ts', true],
      ['plugins/f.ts', true],
      ['plugins/g.ts', false],
      ['node:path', false],
      ['core/plugin-api.ts', true],
    ],
  )
})

/** The project's modules that a feature adds to a target. */
function modulesOf(feature: LocatedFeature, choice: boolean | string): string[] {
  const { plugin, exports = {} } = feature
  const chosen = typeof plugin === 'object' ? (typeof choice === 'string' ? plugin[choice] : undefined) : plugin
  return [...(chosen === undefined ? [] : [chosen]), ...Object.values(exports)].map((module) => shown(module))
}

/** The import chains from the modules of a platform-neutral target to built-ins of Node. Each of them is an error. */
function chainsToNode(graph: readonly Edge[], starts: readonly string[]): string[] {
  const found = reach(graph, starts)
  return [...found.keys()]
    .filter((to) => to.startsWith('node:'))
    .map((to) => {
      const chain = [to]
      for (let importer = found.get(to); importer !== undefined; importer = found.get(importer)) chain.unshift(importer)
      return chain.join(' → ')
    })
}

const neutral = [minimal, serverFull, embeddedMobile].flatMap((profile: Profile) => {
  const targets: (Partial<TargetSpec> | undefined)[] = [profile.library, profile.main]
  return targets.flatMap((target) =>
    target?.platform === 'web' || target?.platform === 'bare'
      ? [{ name: profile.name, features: target.features ?? {} }]
      : [],
  )
})

for (const { name, features } of neutral) {
  test(`the library of ${name} reaches no built-in of Node`, () => {
    const chosen = Object.entries(features).filter(([, choice]) => choice !== false)
    const starts = [
      'core/kernel/kernel.ts',
      ...chosen.flatMap(([id, choice]) => modulesOf(matrixFeatures[id]!, choice)),
    ]
    assert.equal(chainsToNode(bundled, starts), [])
  })
}

test('a feature for every platform reaches no built-in of Node', () => {
  const plain = Object.values(matrixFeatures).filter(
    ({ platform, plugin }) => platform !== 'node' && typeof plugin !== 'object',
  )
  assert.ok(plain.length > 0)
  assert.equal(
    chainsToNode(
      bundled,
      plain.flatMap((feature) => modulesOf(feature, true)),
    ),
    [],
  )
})

test('a built-in that a platform-neutral module imports is found, with the chain of imports', () => {
  const bad = [
    ...edges,
    edge('plugins/probes/readiness.ts', 'plugins/probes/x.ts'),
    edge('plugins/probes/x.ts', 'node:os'),
  ]
  assert.equal(chainsToNode(bad, ['plugins/probes/feature.ts']), [
    'plugins/probes/feature.ts → plugins/probes/readiness.ts → plugins/probes/x.ts → node:os',
  ])
  const types = [...edges, edge('plugins/probes/readiness.ts', 'node:os', true)]
  assert.equal(chainsToNode(types, ['plugins/probes/feature.ts']), [])
})
