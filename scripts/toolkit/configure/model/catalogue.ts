/** What can be chosen for a profile: every feature that exists, read once, so that a change of the choice reads no file. */
import type { FeatureSet, Platform } from '../../../../core/feature.ts'
import type { Plugin } from '../../../../core/plugin.ts'
import { throwAll } from '../../../build/errors.ts'
import { type AbsentIndex, indexAbsent } from '../../../build/plan/absence-hints.ts'
import { chosen, isMoreThan, needsOf } from '../../../build/plan/checks/check-features.ts'
import { type LoadedProfile, loadProfile, standardProfiles } from '../../../build/plan/load-profile.ts'
import type { LocatedFeature } from '../../../build/plan/locate-feature.ts'
import { checkDeclarations, featureOwners, knownFor } from '../../../build/plan/plan.ts'
import { type PlannedFeature, planFeature } from '../../../build/plan/plan-feature.ts'

/** A bundle for which features are chosen. */
export type Place = 'library' | 'main'

/** The features that exist for a profile. */
export interface Catalogue {
  readonly profile: LoadedProfile
  readonly known: Readonly<Record<string, LocatedFeature>>
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
  const known = knownFor(profile)
  throwAll(`Profile ${profile.name}`, await checkDeclarations(profile, known, true))
  const ids = Object.keys(known)
  const planned = ids.map((id) => [id, variantsOf(known[id]!).map((variant) => planFeature(id, variant, known[id]!))])
  return {
    profile,
    known,
    planned: Object.fromEntries(planned),
    index: await indexAbsent(known, await featureOwners()),
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
  const feature = catalogue.known[id]
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
