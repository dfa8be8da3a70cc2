/** Stage 1, plan: decides what goes into each bundle of a profile, or says everything that is wrong with it. */
import { resolve } from 'node:path'
import type { Feature, Platform } from '../../core/feature.ts'
import { settingsTable } from '../../core/kernel.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { Plugin } from '../../core/plugin.ts'
import { matrix } from '../../profiles/matrix.ts'
import { absentOf, indexAbsent } from './absent.ts'
import { checkFeatures, chosen, dedupe } from './check-features.ts'
import { checkModules } from './check-modules.ts'
import { checkOwnership } from './check-ownership.ts'
import { type Problem, throwAll } from './errors.ts'
import { checkFlags } from './flags.ts'
import { type LoadedProfile, loadProfile, standardProfiles } from './load-profile.ts'
import { root } from './paths.ts'
import { readModule } from './read-module.ts'
import { version } from './version.ts'

/** A feature as a target has it. */
export interface PlannedFeature {
  readonly id: string
  readonly feature: Feature
  /** Name of the variant, where the feature has several. */
  readonly variant: string | undefined
  /** Absolute path of the module of its plugin. */
  readonly module: string | undefined
  readonly plugin: Plugin | undefined
}

/** One bundle to make. */
export interface TargetPlan {
  readonly form: 'library' | 'main'
  readonly platform: Platform
  readonly features: readonly PlannedFeature[]
  /** Every flag of the matrix, with its value here. */
  readonly flags: Readonly<Record<string, boolean>>
  readonly manifest: Manifest
  readonly absent: {
    readonly settings: Readonly<Record<string, readonly string[]>>
    readonly capabilities: Readonly<Record<string, readonly string[]>>
  }
  readonly gzipBytes: number | undefined
  readonly gzipLimit: number | undefined
}

/** All that a build of a profile needs to know. */
export interface Plan {
  readonly profile: LoadedProfile
  /** All features that exist for this profile: those of the matrix and its own. */
  readonly known: Readonly<Record<string, Feature>>
  readonly targets: readonly TargetPlan[]
}

/** Stands in a bundle where its own hash goes once it is known. */
export const HASH_PLACEHOLDER: string = '0'.repeat(64)

/**
 * Plans a profile.
 * @throws SvcError with all problems at once, each with what to do about it
 */
export async function plan(nameOrPath: string, from?: string): Promise<Plan> {
  const profile = await loadProfile(nameOrPath, from)
  const known: Record<string, Feature> = { ...matrix, ...profile.own }
  const problems: Problem[] = [
    ...checkNames(profile),
    ...checkOwnership(profile, known),
    ...(await checkModules(known, profile.base)),
    ...checkFlags(known, profile.base),
  ]
  const targets: TargetPlan[] = []
  const specs = [
    { form: 'library' as const, spec: profile.library },
    ...(profile.main === undefined
      ? []
      : [
          {
            form: 'main' as const,
            spec: { ...profile.main, features: { ...profile.library.features, ...profile.main.features } },
          },
        ]),
  ]
  for (const { form, spec } of specs) {
    const where = specs.length > 1 ? ` (${form})` : ''
    problems.push(...checkFeatures(spec.features, spec.platform, known, where))
  }
  throwAll(`Profile ${profile.name}`, dedupe(problems))

  const absentIndex = await indexAbsent(known, await featureOwners())
  for (const { form, spec } of specs) {
    const features = await Promise.all(
      chosen(spec.features).map((id) => planFeature(id, spec.features[id]!, known[id]!)),
    )
    const has = new Set(features.map(({ id }) => id))
    const flags = Object.fromEntries(
      Object.entries(known).flatMap(([id, { flag }]) => (flag === undefined ? [] : [[flag, has.has(id)]])),
    )
    targets.push({
      form,
      platform: spec.platform,
      features,
      flags,
      manifest: toManifest(profile, spec.platform, features),
      absent: absentOf(features, absentIndex),
      gzipBytes: spec.gzipBytes,
      gzipLimit: spec.gzipLimit,
    })
  }
  return { profile, known, targets }
}

/** For each feature of the matrix, the standard profiles that have it. */
export async function featureOwners(): Promise<Map<string, string[]>> {
  const owners = new Map<string, string[]>()
  for (const name of standardProfiles()) {
    const profile = await loadProfile(name)
    for (const id of chosen({ ...profile.library.features, ...profile.main?.features })) {
      owners.set(id, [...(owners.get(id) ?? []), name])
    }
  }
  return owners
}

/** A feature as it would be planned in one variant, or plainly with `true`. */
export async function planFeature(id: string, choice: boolean | string, feature: Feature): Promise<PlannedFeature> {
  const variant = typeof choice === 'string' ? choice : undefined
  const path = typeof feature.plugin === 'object' ? feature.plugin[variant!] : feature.plugin
  const module = path === undefined ? undefined : resolve(root, path)
  return { id, feature, variant, module, plugin: module === undefined ? undefined : await loadPlugin(module) }
}

async function loadPlugin(module: string): Promise<Plugin> {
  return ((await readModule(module)) as { plugin: Plugin }).plugin
}

/** A feature of the user's own may not stand in for one of ours: its contract would not be the one that the id means. */
function checkNames({ own }: LoadedProfile): Problem[] {
  return Object.keys(own)
    .filter((id) => id in matrix)
    .map((id) => ({
      code: 'ERR_PROFILE_INVALID',
      message: `The profile's own feature "${id}" has the name of a feature of the matrix.`,
      hint: `Name it after yourself, such as 'edge.${id}'.`,
    }))
}

function toManifest(profile: LoadedProfile, platform: Platform, features: readonly PlannedFeature[]): Manifest {
  const plugins = features.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
  return {
    name: 'svc',
    version,
    profile: profile.name,
    platform,
    features: features.map(({ id, feature: { summary, stability, since }, variant }) => ({
      id,
      summary,
      stability,
      since,
      ...(variant === undefined ? {} : { variant }),
    })),
    plugins: plugins.map(({ name, feature, version: own }) => ({ name, feature, version: own ?? version })),
    routes: plugins.flatMap((plugin) =>
      (plugin.routes ?? []).map(({ surface, method, path }) => ({ surface, method, path })),
    ),
    settings: Object.keys(settingsTable(plugins)).sort(),
    node: process.versions.node,
    bundleSha256: HASH_PLACEHOLDER,
  }
}
