/** Sets of features: every allowed pair and triple occurs in at least one allowed set. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkFeatures, chosen, needsOf, platforms } from '../../../scripts/build/plan/checks/check-features.ts'
import { loadProfile } from '../../../scripts/build/plan/load-profile.ts'
import { type LocatedFeature, matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { standardProfiles } from '../../../scripts/build/plan/read-profile.ts'
import { controlsOf, nameOf } from '../../../scripts/toolkit/combos/controls.ts'
import { coverOf } from '../../../scripts/toolkit/combos/cover.ts'
import { combinationOf, spaceOf } from '../../../scripts/toolkit/combos/matrix-space.ts'
import { allOf, type Space, solve } from '../../../scripts/toolkit/combos/solve.ts'

const test = suite('toolkit: combinations')

/** Every combination of values. */
function choices({ factors }: Space): number[][] {
  return factors.reduce<number[][]>(
    (sets, { values }) => sets.flatMap((set) => [...values.keys()].map((v) => [...set, v])),
    [[]],
  )
}

function holds({ clauses }: Space, set: readonly number[]): boolean {
  return clauses.every((clause) => clause.some(({ factor, mask }) => ((mask >> set[factor]!) & 1) === 1))
}

/** The pairs or triples of values in a set, as texts. */
function tuplesIn(set: readonly number[], strength: number): string[] {
  const extend = (from: number, missing: number): string[] =>
    missing === 0
      ? ['']
      : set.flatMap((value, factor) =>
          factor < from ? [] : extend(factor + 1, missing - 1).map((rest) => `${factor}=${value} ${rest}`),
        )
  return extend(0, strength)
}

const spaces = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 6 }).chain((sizes) => {
  const literal = fc
    .nat(sizes.length - 1)
    .chain((factor) => fc.integer({ min: 0, max: (1 << sizes[factor]!) - 1 }).map((mask) => ({ factor, mask })))
  return fc.array(fc.array(literal, { minLength: 1, maxLength: 3 }), { maxLength: 8 }).map(
    (clauses): Space => ({
      factors: sizes.map((size, at) => ({
        name: String(at),
        values: Array.from({ length: size }, (_, v) => String(v)),
      })),
      clauses,
    }),
  )
})

for (const strength of [2, 3] as const) {
  test(`over any rules each allowed ${strength === 2 ? 'pair' : 'triple'} is in at least one set, and every set is allowed`, () => {
    fc.assert(
      fc.property(spaces, (space) => {
        const allowed = choices(space).filter((set) => holds(space, set))
        const wanted = new Set(allowed.flatMap((set) => tuplesIn(set, strength)))
        const { tuples, sets } = coverOf(space, strength)
        assert.is(tuples, wanted.size)
        assert.ok(sets.every((set) => holds(space, set)))
        assert.equal(new Set(sets.flatMap((set) => tuplesIn(set, strength))), wanted)
        assert.is(solve(space, allOf(space)) !== undefined, allowed.length > 0)
      }),
      { numRuns: 300 },
    )
  })
}

/** The sets of the matrix for pairs, and all pairs of values in these sets. */
async function matrixPairs(): Promise<{ space: Space; pairs: Set<string>; sets: readonly (readonly number[])[] }> {
  const space = await spaceOf(matrixFeatures)
  const { sets } = coverOf(space, 2)
  return {
    space,
    sets,
    pairs: new Set(sets.flatMap((set) => pairsOf(space.factors.map(({ values }, at) => values[set[at]!]!)))),
  }
}

function pairsOf(values: readonly string[]): string[] {
  return values.flatMap((a, i) => values.slice(i + 1).map((b, j) => `${i}=${a} ${i + 1 + j}=${b}`))
}

test('every set of the current matrix passes the checks of a plan, and contains in total every pair of the standard profiles', async () => {
  const { space, sets, pairs } = await matrixPairs()
  for (const set of sets) {
    const { platform, features } = combinationOf(space, set, matrixFeatures)
    assert.equal(checkFeatures(features, platform, matrixFeatures, ''), [])
  }
  const value = (id: string, features: Readonly<Record<string, boolean | string>>): string =>
    String(features[id] === undefined || features[id] === false ? 'off' : features[id])
  for (const name of standardProfiles()) {
    const { library, main } = await loadProfile(name)
    for (const { platform, features } of [
      library,
      ...(main === undefined ? [] : [{ ...main, features: { ...library.features, ...main.features } }]),
    ]) {
      const values = space.factors.map(({ name: id }) => (id === 'platform' ? platform : value(id, features)))
      const missing = pairsOf(values).filter((pair) => !pairs.has(pair))
      assert.equal(missing, [], `${name} ${platform}`)
    }
  }
})

test('the matrix has every variant of each feature, and each variant without every feature that it does not need', async () => {
  const { space, pairs } = await matrixPairs()
  const index = new Map(space.factors.map(({ name }, at) => [name, at]))
  const met = (a: string, av: string, b: string, bv: string): boolean => {
    const [i, j] = [index.get(a)!, index.get(b)!]
    return pairs.has(i < j ? `${i}=${av} ${j}=${bv}` : `${j}=${bv} ${i}=${av}`)
  }
  const ids = Object.keys(matrixFeatures)
  const valuesOf = (id: string): string[] => {
    const { plugin } = matrixFeatures[id]!
    return typeof plugin === 'object' ? Object.keys(plugin) : ['true']
  }
  for (const id of ids) {
    for (const value of valuesOf(id)) assert.ok(met(id, value, 'platform', 'node'), `${id}=${value}`)
    for (const other of ids) {
      if (other === id) continue
      const needs = requiredBy(id)
      for (const value of valuesOf(id)) {
        // A set with this value and without the other feature, unless the other feature is needed.
        if (!needs.has(other) && !neededOtherwise(id, other))
          assert.ok(met(id, value, other, 'off'), `${id}=${value} without ${other}`)
      }
    }
  }
})

/** All direct and indirect requirements of a feature. */
function requiredBy(id: string, found: Set<string> = new Set()): Set<string> {
  for (const other of matrixFeatures[id]?.requires ?? []) {
    if (found.has(other)) continue
    found.add(other)
    requiredBy(other, found)
  }
  return found
}

/** Whether a feature needs another feature for a reason other than `requires`. */
function neededOtherwise(id: string, other: string): boolean {
  const { main } = matrixFeatures[other]!
  // A feature that only adds commands has no effect in a library, and neither has a feature that requires it.
  return main !== undefined && [id, ...requiredBy(id)].some((one) => isOnlyCommands(matrixFeatures[one]!))
}

function isOnlyCommands({ plugin, main, exports, commands }: LocatedFeature): boolean {
  return commands !== undefined && plugin === undefined && main === undefined && exports === undefined
}

test('each feature is controlled once, on a set without the feature', async () => {
  const { space, sets } = await matrixPairs()
  const combinations = sets.map((set) => combinationOf(space, set, matrixFeatures))
  const controls = controlsOf(combinations, matrixFeatures)
  const all = controls.flatMap((names) => [...names])
  const wanted = Object.entries(matrixFeatures).flatMap(([id, { plugin }]) =>
    typeof plugin === 'object' ? Object.keys(plugin).map((variant) => `${id}=${variant}`) : [id],
  )
  assert.equal([...all].sort(), wanted.sort())
  for (const [at, names] of controls.entries()) {
    for (const name of names) assert.not.ok(Object.entries(combinations[at]!.features).map(nameOf).includes(name))
  }
})

test('each variant has its own platform, and the plan refuses a smaller platform', () => {
  const fake = {
    platform: { small: 'web', large: 'node' },
    plugin: { small: 'a', large: 'b' },
  } as unknown as LocatedFeature
  assert.equal([needsOf(fake, 'small'), needsOf(fake, 'large')], ['web', 'node'])
  const [problem] = checkFeatures({ x: 'large' }, 'web', { x: fake }, '')
  assert.is(problem?.code, 'ERR_FEATURE_PLATFORM')
  assert.match(problem!.message, 'x=large runs on platform "node"')
  assert.equal(checkFeatures({ x: 'small' }, 'web', { x: fake }, ''), [])
  assert.equal(chosen({ x: 'small', y: false }), ['x'])
  assert.equal(platforms, ['bare', 'web', 'node'])
})

test.run()
