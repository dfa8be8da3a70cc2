/**
 * What can be chosen for a profile: every feature that exists, read once, so that a change of the choice reads no file.
 */
import type { FeatureSet, Platform } from '../../../../core/declare/matrix.ts'
import type { Plugin } from '../../../../core/declare/plugin.ts'
import { throwAll } from '../../../build/errors.ts'
import { type AbsentIndex, indexAbsent } from '../../../build/plan/absence-hints.ts'
import { chosen, isMoreThan, needsOf } from '../../../build/plan/checks/check-features.ts'
import { type LoadedProfile, loadProfile } from '../../../build/plan/load-profile.ts'
import type { LocatedFeature } from '../../../build/plan/locate-feature.ts'
import { checkDeclarations, featureOwners, knownFeaturesOf } from '../../../build/plan/plan.ts'
import { type PlannedFeature, planFeature } from '../../../build/plan/plan-feature.ts'
import { standardProfiles } from '../../../build/plan/read-profile.ts'

/** A bundle for which features are chosen. */
export type Place = 'library' | 'main'

/** The features that exist for a profile. */
export interface Catalogue {
  readonly profile: LoadedProfile
  readonly knownFeatures: Readonly<Record<string, LocatedFeature>>
  /** By feature, in each variant; a feature without variants has one entry. */
  readonly planned: Readonly<Record<string, readonly PlannedFeature[]>>
  readonly index: readonly AbsentIndex[]
  /** Features that our profiles have in the program and not in the library. */
  readonly programOnly: ReadonlySet<string>
}

/**
 * Reads the features that exist for a profile.
 * @throws SvcError with all problems of the declarations, because features that cannot be loaded cannot be chosen
 */
export async function openCatalogue(profile: LoadedProfile): Promise<Catalogue> {
  const knownFeatures = knownFeaturesOf(profile)
  throwAll(`Profile ${profile.name}`, await checkDeclarations(profile, knownFeatures, true))
  const ids = Object.keys(knownFeatures)
  const planned = ids.map((id) => [
    id,
    variantsOf(knownFeatures[id]!).map((variant) => planFeature(id, variant, knownFeatures[id]!)),
  ])
  return {
    profile,
    knownFeatures,
    planned: Object.fromEntries(planned),
    index: await indexAbsent(knownFeatures, await featureOwners()),
    programOnly: await programOnly(),
  }
}

async function programOnly(): Promise<Set<string>> {
  const profiles = await Promise.all(standardProfiles().map((name) => loadProfile(name)))
  const idsIn = (set: FeatureSet | undefined): string[] => chosen(set ?? {})
  const withProgram = profiles.filter(({ main }) => main !== undefined)
  const inLibrary = new Set(withProgram.flatMap(({ library }) => idsIn(library.features)))
  return new Set(withProgram.flatMap(({ main }) => idsIn(main?.features)).filter((id) => !inLibrary.has(id)))
}

/** The choices of a feature other than absence: its variants, or `true`. */
export function variantsOf({ plugin }: LocatedFeature): readonly (string | true)[] {
  return typeof plugin === 'object' ? Object.keys(plugin) : [true]
}

/** The platform of the bundle at a place. */
export function platformAt({ profile }: Catalogue, place: Place): Platform {
  return (place === 'main' ? profile.main?.platform : undefined) ?? profile.library.platform
}

/** The choices of a feature that run on the platform of a place, the one that is made for this platform first. */
export function fitting(catalogue: Catalogue, id: string, place: Place): readonly (string | true)[] {
  const feature = catalogue.knownFeatures[id]
  if (feature === undefined) return []
  const platform = platformAt(catalogue, place)
  const fits = variantsOf(feature).filter((choice) => !isMoreThan(needsOf(feature, choice), platform))
  const made = fits.filter((choice) => needsOf(feature, choice) === platform)
  return [...made, ...fits.filter((choice) => !made.includes(choice))]
}

/** The plugin of a feature in the chosen variant, if it has one. */
export function pluginOf({ planned }: Catalogue, id: string, choice: boolean | string): Plugin | undefined {
  const variant = typeof choice === 'string' ? choice : undefined
  return planned[id]?.find((one) => one.variant === variant)?.plugin
}

/** The features, each in a variant, whose plugins provide a capability. */
export function providersOf({ planned }: Catalogue, capability: string): PlannedFeature[] {
  return Object.values(planned).flatMap((variants) =>
    variants.filter(({ plugin }) => plugin?.provides?.includes(capability as never) === true),
  )
}

/** The chosen features of one bundle: true or the variant. An absent feature has no member. */
export type Chosen = Readonly<Record<string, string | true>>

/** A choice. */
export interface Choice {
  readonly library: Chosen
  /** The whole set of the program, with the features of the library; undefined for a profile without a program. */
  readonly main: Chosen | undefined
  /** Features that came along with others. They go again when nothing needs them. */
  readonly along: ReadonlySet<string>
}

/** The places where a feature can be: in the library and the program, in the program alone, in the library alone. */
export type Where = 'both' | 'main' | 'library'

/** The places of a choice. */
export function placesOf({ main }: Choice): readonly Place[] {
  return main === undefined ? ['library'] : ['library', 'main']
}

/** The features at a place. */
export function at(choice: Choice, place: Place): Chosen {
  return (place === 'main' ? choice.main : choice.library) ?? {}
}

/** Where a feature is; undefined if it is absent. */
export function whereIs(choice: Choice, id: string): Where | undefined {
  const [library, main] = [Object.hasOwn(choice.library, id), Object.hasOwn(choice.main ?? {}, id)]
  if (library) return main || choice.main === undefined ? 'both' : 'library'
  return main ? 'main' : undefined
}
