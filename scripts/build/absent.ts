/** What a target lacks, so that a refusal can say which profiles have it. */

import { settingsTable } from '../../core/settings/of-plugins.ts'
import type { LocatedFeature } from './locate-feature.ts'
import { type PlannedFeature, planFeature } from './plan-feature.ts'

/** What a feature brings, and the standard profiles that have it. */
export interface AbsentIndex {
  readonly id: string
  readonly settings: readonly string[]
  readonly capabilities: readonly string[]
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
        profiles: owners.get(id) ?? [],
      }
    }),
  )
}

/** Settings and capabilities of absent features that no present one has too. */
export function absentOf(features: readonly PlannedFeature[], index: readonly AbsentIndex[]): AbsentTables {
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
