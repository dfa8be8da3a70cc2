/** Stage 1, plan: decides what goes into each bundle of a profile, or says everything that is wrong with it. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Feature, FeatureSet, Platform } from '../../core/feature.ts'
import { settingsTable } from '../../core/kernel.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { Plugin } from '../../core/plugin.ts'
import { nearest } from '../../core/settings/suggest.ts'
import { matrix } from '../../profiles/matrix.ts'
import { type Problem, throwAll } from './errors.ts'
import { checkFlags } from './flags.ts'
import { type LoadedProfile, loadProfile, standardProfiles } from './load-profile.ts'
import { root } from './paths.ts'
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

const platformRank: Readonly<Record<Platform, number>> = { bare: 0, web: 1, node: 2 }

/**
 * Plans a profile.
 * @throws SvcError with all problems at once, each with what to do about it
 */
export async function plan(nameOrPath: string, from?: string): Promise<Plan> {
  const profile = await loadProfile(nameOrPath, from)
  const known: Record<string, Feature> = { ...matrix, ...profile.own }
  const problems: Problem[] = [...checkFlags(known)]
  const targets: TargetPlan[] = []
  const owners = await featureOwners()
  const absentIndex = await indexAbsent(known, owners)
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

function chosen(features: FeatureSet): string[] {
  return Object.keys(features).filter((id) => features[id] !== false)
}

function checkFeatures(
  features: FeatureSet,
  platform: Platform,
  known: Readonly<Record<string, Feature>>,
  where: string,
): Problem[] {
  const problems: Problem[] = []
  const has = new Set(chosen(features))
  for (const id of has) {
    const feature = known[id]
    if (feature === undefined) {
      const near = nearest(id, Object.keys(known))
      const hint = near === undefined ? 'make matrix lists the features.' : `Did you mean ${near}?`
      problems.push({ code: 'ERR_FEATURE_UNKNOWN', message: `There is no feature "${id}"${where}.`, hint })
      continue
    }
    for (const other of feature.requires ?? []) {
      if (!has.has(other)) {
        const hint = `Add '${other}': true, or take ${id} out.`
        problems.push({ code: 'ERR_FEATURE_REQUIRES', message: `${id} requires ${other}${where}.`, hint })
      }
    }
    for (const other of feature.conflicts ?? []) {
      if (has.has(other)) {
        const hint = `Take one of them out: '${other}': false.`
        problems.push({ code: 'ERR_FEATURE_CONFLICT', message: `${id} conflicts with ${other}${where}.`, hint })
      }
    }
    if (platformRank[feature.platform] > platformRank[platform]) {
      problems.push({
        code: 'ERR_FEATURE_PLATFORM',
        message: `${id} runs on platform "${feature.platform}", and the platform here is "${platform}"${where}.`,
        hint: `Take it out, put it into the features of \`main\`, or set \`platform: '${feature.platform}'\`.`,
      })
    }
    const problem = checkVariant(id, features[id]!, feature)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

function checkVariant(id: string, choice: boolean | string, { plugin }: Feature): Problem | undefined {
  const variants = typeof plugin === 'object' ? Object.keys(plugin) : []
  if (typeof choice === 'string' ? variants.includes(choice) : variants.length === 0) return undefined
  const message =
    typeof choice === 'string' ? `${id} has no variant "${choice}".` : `${id} comes in variants, and none is chosen.`
  const first = variants[0]
  const hint =
    first === undefined ? `Write '${id}': true.` : `Its variants are ${variants.join(', ')}: write '${id}': '${first}'.`
  return { code: 'ERR_FEATURE_VARIANT', message, hint }
}

/** A feature as it would be planned in one variant, or plainly with `true`. */
export async function planFeature(id: string, choice: boolean | string, feature: Feature): Promise<PlannedFeature> {
  const variant = typeof choice === 'string' ? choice : undefined
  const path = typeof feature.plugin === 'object' ? feature.plugin[variant!] : feature.plugin
  const module = path === undefined ? undefined : resolve(root, path)
  return { id, feature, variant, module, plugin: module === undefined ? undefined : await loadPlugin(id, module) }
}

async function loadPlugin(id: string, module: string): Promise<Plugin> {
  const { plugin } = (await import(pathToFileURL(module).href)) as { plugin?: Plugin }
  if (plugin === undefined || plugin.feature !== id || typeof plugin.setup !== 'function') {
    const message =
      plugin === undefined
        ? `${module} exports no \`plugin\`.`
        : `${module} implements "${plugin.feature}", and the matrix names it for ${id}.`
    throwAll('Feature ' + id, [
      { code: 'ERR_FEATURE_MODULE', message, hint: 'export const plugin = definePlugin({ … })' },
    ])
  }
  return plugin!
}

interface AbsentIndex {
  readonly id: string
  readonly settings: readonly string[]
  readonly capabilities: readonly string[]
  readonly profiles: readonly string[]
}

async function indexAbsent(
  known: Readonly<Record<string, Feature>>,
  owners: Map<string, string[]>,
): Promise<AbsentIndex[]> {
  return Promise.all(
    Object.entries(known).map(async ([id, feature]) => {
      const variants = typeof feature.plugin === 'object' ? Object.keys(feature.plugin) : [true as const]
      const planned = await Promise.all(variants.map((variant) => planFeature(id, variant, feature)))
      const plugins = planned.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
      return {
        id,
        settings: [...new Set(plugins.flatMap((plugin) => Object.keys(plugin.settings ?? {})))],
        capabilities: [...new Set(plugins.flatMap((plugin) => plugin.provides ?? []))],
        profiles: owners.get(id) ?? [],
      }
    }),
  )
}

/** Settings and capabilities of absent features that no present one has too. */
function absentOf(features: readonly PlannedFeature[], index: readonly AbsentIndex[]): TargetPlan['absent'] {
  const plugins = features.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
  const settingsHere = new Set(Object.keys(settingsTable(plugins)))
  const capabilitiesHere = new Set<string>(plugins.flatMap((plugin) => plugin.provides ?? []))
  const gather = (
    names: (entry: AbsentIndex) => readonly string[],
    here: ReadonlySet<string>,
  ): Record<string, string[]> => {
    const found: Record<string, string[]> = {}
    for (const entry of index) {
      for (const name of names(entry)) {
        if (!here.has(name)) found[name] = [...new Set([...(found[name] ?? []), ...entry.profiles])].sort()
      }
    }
    return found
  }
  return {
    settings: gather((entry) => entry.settings, settingsHere),
    capabilities: gather((entry) => entry.capabilities, capabilitiesHere),
  }
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

function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ code, message }) => {
    const key = `${code} ${message.replace(/ \((library|main)\)\./, '.')}`
    return !seen.has(key) && seen.add(key)
  })
}
