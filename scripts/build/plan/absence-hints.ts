/** Lists what a target lacks, so that an error can name the profiles that contain it. */

import type { Plugin } from '../../../core/declare/plugin.ts'
import { settingsTable } from '../../../core/kernel/settings/of-plugins.ts'
import type { LocatedFeature } from './locate-feature.ts'
import { type PlannedFeature, planVariants } from './plan-feature.ts'

/** The settings, capabilities and routes of a feature, and the standard profiles that contain the feature. */
export interface AbsentIndex {
  readonly id: string
  readonly settings: readonly string[]
  readonly capabilities: readonly string[]
  readonly routes: readonly string[]
  /** Names of the feature's plugins. */
  readonly plugins: readonly string[]
  /**
   * Surface and path of each route, without the names of parameters: paths that differ only in these names are equal.
   */
  readonly paths: readonly string[]
  readonly profiles: readonly string[]
}

/** Settings and capabilities that a target lacks, with the profiles that have them. */
export interface AbsentTables {
  readonly settings: Readonly<Record<string, readonly string[]>>
  readonly capabilities: Readonly<Record<string, readonly string[]>>
}

/** Indexes every feature that exists; `owners` gives the profiles of each. */
export async function indexAbsent(
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  owners: Map<string, string[]>,
): Promise<AbsentIndex[]> {
  return Promise.all(
    Object.entries(knownFeatures).map(async ([id, feature]) => {
      const planned = planVariants(id, feature)
      const plugins = planned.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
      return {
        id,
        settings: [...new Set(plugins.flatMap((plugin) => Object.keys(plugin.settings ?? {})))],
        capabilities: [...new Set(plugins.flatMap((plugin) => plugin.provides ?? []))],
        routes: [...new Set(plugins.flatMap(routeNames))],
        plugins: [...new Set(plugins.map(({ name }) => name))],
        paths: [...new Set(plugins.flatMap(pathsOf))],
        profiles: owners.get(id) ?? [],
      }
    }),
  )
}

/** Settings and capabilities of absent features, without those that a present feature has too. */
export function absentOf(features: readonly PlannedFeature[], index: readonly AbsentIndex[]): AbsentTables {
  const plugins = pluginsOf(features)
  return {
    settings: gather(index, ({ settings }) => settings, Object.keys(settingsTable(plugins))),
    capabilities: gather(
      index,
      ({ capabilities }) => capabilities,
      plugins.flatMap((plugin) => plugin.provides ?? []),
    ),
  }
}

/**
 * The absent settings as a library contains them: `kbd.*` replaces those settings of a family that the same profiles
 * have as most of it, if no setting of the family is `present`. The others stay beside it, by their keys. This keeps a
 * library that lacks many features small.
 */
export function byFamily(
  settings: AbsentTables['settings'],
  present: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const familyOf = (key: string): string => key.replace(/\..*/, '.*')
  const counts = new Map<string, Map<string, number>>()
  for (const [key, having] of Object.entries(settings)) {
    const ofFamily = counts.get(familyOf(key)) ?? new Map<string, number>()
    counts.set(familyOf(key), ofFamily.set(String(having), (ofFamily.get(String(having)) ?? 0) + 1))
  }
  const mixed = new Set(present.map(familyOf))
  const isUsual = (key: string, having: readonly string[]): boolean => {
    const all = [...(counts.get(familyOf(key)) ?? [])].sort(([, one], [, other]) => other - one)
    return !mixed.has(familyOf(key)) && all[0]?.[0] === String(having)
  }
  return Object.fromEntries(
    Object.entries(settings).map(([key, having]) => [isUsual(key, having) ? familyOf(key) : key, having]),
  )
}

/**
 * The routes that a target lacks, such as `GET /api/svc/runs/{run_id}`, with the profiles that have them. Only the
 * declaration files use them; no bundle contains them.
 */
export function absentRoutesOf(
  features: readonly PlannedFeature[],
  index: readonly AbsentIndex[],
): Readonly<Record<string, readonly string[]>> {
  return gather(index, ({ routes }) => routes, pluginsOf(features).flatMap(routeNames))
}

/** The routes of a plugin in the notation of OpenAPI. */
export function routeNames({ routes = [] }: Plugin): string[] {
  return routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
}

/** Surface and path of each route of a plugin. */
export function pathsOf({ routes = [] }: Plugin): string[] {
  return routes.map(({ surface, path }) => `${surface} ${path.replace(/:\w+/g, ':')}`)
}

function pluginsOf(features: readonly PlannedFeature[]): Plugin[] {
  return features.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin]))
}

function gather(
  index: readonly AbsentIndex[],
  names: (entry: AbsentIndex) => readonly string[],
  here: readonly string[],
): Record<string, string[]> {
  const has = new Set(here)
  const profiles: Record<string, string[]> = {}
  for (const entry of index) {
    for (const name of names(entry)) {
      if (!has.has(name)) profiles[name] = [...new Set([...(profiles[name] ?? []), ...entry.profiles])].sort()
    }
  }
  return profiles
}
