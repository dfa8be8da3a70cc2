/** Stage 1, plan: decides the contents of each bundle of a profile, or reports all problems of the profile. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../core/declare/manifest.ts'
import type { Platform } from '../../../core/declare/matrix.ts'
import { settingsTable } from '../../../core/kernel/settings/of-plugins.ts'
import { openApiTextOf } from '../../openapi/document.ts'
import { type Problem, throwAll } from '../errors.ts'
import { isInstalled, root } from '../paths.ts'
import { HASH_PLACEHOLDER, NO_COMMIT } from '../stamp.ts'
import { version } from '../version.ts'
import { absentOf, absentRoutesOf, indexAbsent } from './absence-hints.ts'
import { checkDefines } from './check-defines.ts'
import { checkForms, checkPlanned, formsOf, idsOf } from './checks/check-choice.ts'
import { requireOrder } from './checks/check-composition.ts'
import { checkOpen, chosen, dedupe } from './checks/check-features.ts'
import { checkModules } from './checks/check-modules.ts'
import { checkOwnership } from './checks/check-ownership.ts'
import { checkDefineNames, defineName, definesOf, type Uses } from './defines.ts'
import { type LoadedProfile, loadProfile } from './load-profile.ts'
import { type LocatedFeature, matrixFeatures } from './locate-feature.ts'
import { type PlannedFeature, planFeature } from './plan-feature.ts'
import { standardProfiles } from './read-profile.ts'
import type { Plan, TargetPlan } from './target-plan.ts'

/**
 * Plans a profile. `checked` leaves out how our own sources use defines, because they passed before.
 * @throws SvcError with all problems at once, each with a hint
 */
export async function plan(nameOrPath: string, from?: string, checked: boolean = false): Promise<Plan> {
  return planLoaded(await loadProfile(nameOrPath, from), checked)
}

/** Plans a profile that is already loaded, or that has no file. */
export async function planLoaded(profile: LoadedProfile, checked: boolean = false): Promise<Plan> {
  const knownFeatures = knownFeaturesOf(profile)
  const forms = formsOf(profile)
  throwAll(
    `Profile ${profile.name}`,
    dedupe([...(await checkDeclarations(profile, knownFeatures, checked)), ...checkForms(forms, knownFeatures)]),
  )

  const absentIndex = await indexAbsent(knownFeatures, await featureOwners())
  const planned = forms.map((form) => {
    const ids = idsOf(form, knownFeatures)
    return { ...form, ids, features: ids.map((id) => planFeature(id, form.spec.features[id]!, knownFeatures[id]!)) }
  })
  const { problems, warnings } = checkPlanned(planned, profile, absentIndex)
  throwAll(`Profile ${profile.name}`, dedupe(problems))
  for (const target of planned) requireOrder(target)
  const targets: TargetPlan[] = []
  for (const { form, spec, ids, features } of planned) {
    targets.push({
      form,
      platform: spec.platform,
      features,
      defines: definesOf(knownFeatures, spec.features, form, usesOf(features)),
      manifest: toManifest(profile, spec.platform, features),
      // Without plugins there are no settings and no capabilities.
      absent: features.some(({ plugin }) => plugin)
        ? absentOf(features, absentIndex)
        : { settings: {}, capabilities: {} },
      absentRoutes: absentRoutesOf(features, absentIndex),
      open: features.some(({ plugin }) => plugin) ? Object.values(knownFeatures).flatMap(({ open = [] }) => open) : [],
      externals: [...new Set(Object.values(knownFeatures).flatMap(({ externals = [] }) => externals))].sort(),
      openapi: ids.includes('openapi') ? await ownDocument(features) : undefined,
      gzipBytes: spec.gzipBytes,
      gzipLimit: spec.gzipLimit,
      gzipTotal: spec.gzipTotal,
      gzipTotalLimit: spec.gzipTotalLimit,
    })
  }
  return { profile, knownFeatures, targets, warnings }
}

/** All features that exist for a profile. */
export function knownFeaturesOf({ ownFeatures }: Pick<LoadedProfile, 'ownFeatures'>): Record<string, LocatedFeature> {
  const knownFeatures = { ...matrixFeatures, ...ownFeatures }
  // Sources that are loaded by Node read defines as globals; here every feature is present.
  for (const id of Object.keys(knownFeatures)) Object.assign(globalThis, { [defineName(id)]: true })
  return knownFeatures
}

/** Problems of the features that exist for a profile, chosen or not. `checked` as for {@link plan}. */
export async function checkDeclarations(
  profile: LoadedProfile,
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  checked: boolean,
): Promise<Problem[]> {
  return [
    ...checkNames(profile),
    ...checkOwnership(profile, knownFeatures),
    ...(await checkModules(knownFeatures, profile.base)),
    ...checkDefineNames(knownFeatures),
    ...checkOpen(knownFeatures),
    ...(await checkDefines(knownFeatures, profile.base, !checked && !isInstalled)),
  ]
}

function usesOf(features: readonly PlannedFeature[]): Uses {
  return {
    metrics: features.some(({ plugin }) => plugin?.provides?.includes('MetricSink') === true),
    schemas: features.some(({ feature }) => feature.value.made.some(({ shapes }) => shapes !== undefined)),
  }
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

/** The OpenAPI document of a target. Returns undefined if it equals the checked-in document. */
async function ownDocument(features: readonly PlannedFeature[]): Promise<string | undefined> {
  const text = await openApiTextOf(features)
  return text === readFileSync(join(root, 'openapi.json'), 'utf8') ? undefined : text
}

/**
 * Reports features of a user that have the id of a standard feature: the contract of the id would not apply to them.
 */
function checkNames({ ownFeatures }: LoadedProfile): Problem[] {
  return Object.keys(ownFeatures)
    .filter((id) => id in matrixFeatures)
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
    plugins: plugins.map(({ name, feature, version: pluginVersion }) => ({
      name,
      feature,
      version: pluginVersion ?? version,
    })),
    routes: plugins.flatMap((plugin) =>
      (plugin.routes ?? []).map(({ surface, method, path }) => ({ surface, method, path })),
    ),
    settings: Object.keys(settingsTable(plugins)).sort(),
    node: process.versions.node,
    bundleSha256: HASH_PLACEHOLDER,
    commit: NO_COMMIT,
  }
}
