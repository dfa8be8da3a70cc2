/** What a target lacks, so that a refusal can say which profiles have it. */

import type { Plugin } from '../../../core/plugin.ts'
import { settingsTable } from '../../../core/settings/of-plugins.ts'
import type { LocatedFeature } from './locate-feature.ts'
import { type PlannedFeature, planFeature } from './plan-feature.ts'

/** What a feature brings, and the standard profiles that have it. */
export interface AbsentIndex {
  readonly id: string
  readonly settings: readonly string[]
  readonly capabilities: readonly string[]
  readonly routes: readonly string[]
  /** Names of its plugins. */
  readonly plugins: readonly string[]
  /** Surface and path of each route; names of parameters do not tell paths apart. */
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
  known: Readonly<Record<string, LocatedFeature>>,
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
        routes: [...new Set(plugins.flatMap(routeNames))],
        plugins: [...new Set(plugins.map(({ name }) => name))],
        paths: [...new Set(plugins.flatMap(pathsOf))],
        profiles: owners.get(id) ?? [],
      }
    }),
  )
}

/** Settings and capabilities of absent features that no present one has too. */
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
 * The settings as a library carries them: `kbd.*` for a family of which nothing is `present`, where the same profiles have
 * all of it. Who lacks many features does not pay for each of their settings.
 */
export function byFamily(
  settings: AbsentTables['settings'],
  present: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const familyOf = (key: string): string => key.replace(/\..*/, '.*')
  const profiles = new Map<string, string>()
  const mixed = new Set(present.map(familyOf))
  for (const [key, having] of Object.entries(settings)) {
    const family = familyOf(key)
    if ((profiles.get(family) ?? String(having)) !== String(having)) mixed.add(family)
    profiles.set(family, String(having))
  }
  return Object.fromEntries(
    Object.entries(settings).map(([key, having]) => [mixed.has(familyOf(key)) ? key : familyOf(key), having]),
  )
}

/** The same of routes, as `GET /api/svc/runs/{run_id}`. They are for the compiler alone, and in no bundle. */
export function absentRoutesOf(
  features: readonly PlannedFeature[],
  index: readonly AbsentIndex[],
): Readonly<Record<string, readonly string[]>> {
  return gather(index, ({ routes }) => routes, pluginsOf(features).flatMap(routeNames))
}

/** The routes of a plugin, as the OpenAPI document and its callers write them. */
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
  const found: Record<string, string[]> = {}
  for (const entry of index) {
    for (const name of names(entry)) {
      if (!has.has(name)) found[name] = [...new Set([...(found[name] ?? []), ...entry.profiles])].sort()
    }
  }
  return found
}
