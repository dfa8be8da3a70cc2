/** The space of possible combinations: the existing features, and the rules in their declarations. */
import type { FeatureSet, Platform } from '../../../core/declare/matrix.ts'
import { isMoreThan, needsOf, platforms } from '../../build/plan/checks/check-features.ts'
import type { LocatedFeature } from '../../build/plan/locate-feature.ts'
import { type PlannedFeature, planFeature } from '../../build/plan/plan-feature.ts'
import type { Factor, Literal, Space } from './solve.ts'

/** The value of an absent feature. */
const OFF = 'off'
const PLATFORM = 'platform'

/** The features of a set, and its form: a program if one of them has a main module, or else a library. */
export interface Combination {
  readonly form: 'library' | 'main'
  readonly platform: Platform
  readonly features: FeatureSet
}

/**
 * Creates the space: a factor for the platform, and one for each feature with the values `off` and `true` or its
 * variants. The rules are clauses.
 */
export async function spaceOf(knownFeatures: Readonly<Record<string, LocatedFeature>>): Promise<Space> {
  const ids = Object.keys(knownFeatures)
  const choices = ids.map((id) => ({ id, variants: variantsOf(knownFeatures[id]!) }))
  const factors: Factor[] = [
    { name: PLATFORM, values: platforms },
    ...choices.map(({ id, variants }) => ({ name: id, values: [OFF, ...(variants ?? ['true'])] })),
  ]
  const planned = await Promise.all(
    choices.flatMap(({ id, variants }) =>
      (variants ?? [true]).map((choice) => planFeature(id, choice, knownFeatures[id]!)),
    ),
  )
  const { has, lacks } = literals(factors)
  const all = (ids: readonly string[]): Literal[] => ids.flatMap((id) => (id in knownFeatures ? [has(id)] : []))
  const where = (fits: (feature: LocatedFeature) => boolean): string[] => ids.filter((id) => fits(knownFeatures[id]!))
  const mains = where(({ main }) => main !== undefined)
  const clauses = planned.flatMap((one): Literal[][] => {
    const { id, feature, variant, plugin } = one
    const not = lacks(id, variant)
    const platform = needsOf(feature, variant ?? true)
    return [
      ...(feature.requires ?? []).map((other) => [not, ...all([other])]),
      ...(feature.conflicts ?? []).flatMap((other) => (other in knownFeatures ? [[not, lacks(other)]] : [])),
      [not, { factor: 0, mask: maskOf(platforms, (name) => !isMoreThan(platform, name as Platform)) }],
      ...(plugin?.requires ?? []).map((name) => [
        not,
        ...providersOf(name, planned).map((other) => has(other.id, other.variant)),
      ]),
      ...(plugin?.provides ?? []).flatMap((name) =>
        providersOf(name, planned)
          .filter((other) => other.id > id)
          .map((other) => [not, lacks(other.id, other.variant)]),
      ),
      ...mains.filter((other) => other > id && feature.main !== undefined).map((other) => [not, lacks(other)]),
      ...reachedBy(one, knownFeatures, mains).map((reached) => [
        not,
        ...reached.map((literal) => literal({ has, lacks })),
      ]),
    ]
  })
  return { factors, clauses }
}

interface Literals {
  has(id: string, variant?: string): Literal
  lacks(id: string, variant?: string): Literal
}

type OfLiterals = (of: Literals) => Literal

/**
 * The clauses for features that are only in a bundle if other features use them, because unused code is not delivered.
 */
function reachedBy(
  { id, feature }: PlannedFeature,
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  mains: readonly string[],
): OfLiterals[][] {
  if (feature.plugin !== undefined || feature.main !== undefined || feature.exports !== undefined) return []
  const isProgram = mains.map(
    (other): OfLiterals =>
      ({ has }) =>
        has(other),
  )
  // Only a program has commands.
  if (feature.commands !== undefined) return [isProgram]
  const users = Object.keys(knownFeatures).filter((other) => knownFeatures[other]!.requires?.includes(id) === true)
  const having = (fits: (row: LocatedFeature) => unknown): OfLiterals[] =>
    users
      .filter((other) => fits(knownFeatures[other]!) !== undefined)
      .map(
        (other) =>
          ({ has }) =>
            has(other),
      )
  const inProgram = having(({ plugin, main, commands }) => plugin ?? main ?? commands)
  // Only a library has exports.
  return [
    [...inProgram, ...having(({ exports }) => exports)],
    ...mains.map((other): OfLiterals[] => [({ lacks }) => lacks(other), ...inProgram]),
  ]
}

function providersOf(name: string, planned: readonly PlannedFeature[]): PlannedFeature[] {
  return planned.filter(({ plugin }) => plugin?.provides?.includes(name as never))
}

function variantsOf({ plugin }: LocatedFeature): string[] | undefined {
  return typeof plugin === 'object' ? Object.keys(plugin) : undefined
}

function literals(factors: readonly Factor[]): Literals {
  const index = new Map(factors.map(({ name }, at) => [name, at]))
  const mask = (id: string, fits: (value: string) => boolean): Literal => {
    const factor = index.get(id)!
    return { factor, mask: maskOf(factors[factor]!.values, fits) }
  }
  const is = (value: string, variant: string | undefined): boolean => value !== OFF && (variant ?? value) === value
  return {
    has: (id, variant) => mask(id, (value) => is(value, variant)),
    lacks: (id, variant) => mask(id, (value) => !is(value, variant)),
  }
}

function maskOf(values: readonly string[], fits: (value: string) => boolean): number {
  return values.reduce((mask, value, at) => (fits(value) ? mask | (1 << at) : mask), 0)
}

/** Converts a set of value indexes to a combination. */
export function combinationOf(
  { factors }: Space,
  set: readonly number[],
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
): Combination {
  const named = factors.map(({ name, values }, at) => [name, values[set[at]!]!] as const)
  const [[, platform], ...rest] = named as [readonly [string, Platform], ...(readonly [string, string])[]]
  const features = Object.fromEntries(
    rest.flatMap(([id, value]) => (value === OFF ? [] : [[id, value === 'true' ? true : value] as const])),
  )
  const isProgram = Object.keys(features).some((id) => knownFeatures[id]!.main !== undefined)
  return { form: isProgram ? 'main' : 'library', platform, features }
}
