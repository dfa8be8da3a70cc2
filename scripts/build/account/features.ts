/** The features as the account lists them, with routes, settings and packages of each. */
import type { Deprecation } from '../../../core/declare/matrix.ts'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { settingsTable } from '../../../core/kernel/settings/of-plugins.ts'
import { shown } from '../paths.ts'
import type { LocatedFeature } from '../plan/locate-feature.ts'
import { featureOwners } from '../plan/plan.ts'
import { planFeature } from '../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { byVariant, ownership } from '../prove/attribute.ts'
import { type ChoiceLine, choiceLinesOf } from './choice-lines.ts'

/** A setting of a feature. */
export interface SettingAccount {
  /** Undefined if the setting is a secret or has no default. */
  readonly default?: unknown
  readonly expected: string
  readonly summary?: string
}

/** One feature. */
export interface FeatureAccount {
  readonly summary: string
  readonly stability: string
  readonly since: string
  readonly deprecated?: Deprecation
  readonly owner?: string
  /** The choice in each form that has the feature: true, or the name of the variant. */
  readonly in: Readonly<Partial<Record<TargetPlan['form'], true | string>>>
  /** Standard profiles that have the feature. */
  readonly profiles: readonly string[]
  /** Profile lines that add or remove the feature, the lines of the extending profile first. */
  readonly asked: readonly ChoiceLine[]
  readonly requires: readonly string[]
  /** Routes of all variants of the feature's plugin. */
  readonly routes: readonly string[]
  readonly settings: Readonly<Record<string, SettingAccount>>
  readonly packages: readonly string[]
  /** Files and folders that the feature owns. */
  readonly owns: readonly string[]
}

/** All features that exist for a plan, by id. */
export async function featuresOf(plan: Plan): Promise<Record<string, FeatureAccount>> {
  const owners = await featureOwners()
  const asked = await choiceLinesOf(plan.profile)
  const prefixes = ownership(plan.knownFeatures)
  const rows = Object.entries(plan.knownFeatures).map(async ([id, feature]) => {
    const plugins = await pluginsOf(id, feature)
    const ownPrefixes = prefixes.filter(({ owner }) => owner === `feature:${id}` || owner.startsWith(`variant:${id}=`))
    const chosen = plan.targets.flatMap(({ form, features }) => {
      const one = features.find((planned) => planned.id === id)
      return one === undefined ? [] : [[form, one.variant ?? (true as const)] as const]
    })
    const row: FeatureAccount = {
      summary: feature.summary,
      stability: feature.stability,
      since: feature.since,
      ...(feature.deprecated !== undefined && { deprecated: feature.deprecated }),
      ...(feature.owner !== undefined && { owner: feature.owner }),
      in: Object.fromEntries(chosen),
      profiles: owners.get(id) ?? [],
      asked: asked.filter((one) => one.feature === id),
      requires: [...(feature.requires ?? [])],
      routes: [
        ...new Set(
          plugins.flatMap(({ routes = [] }) =>
            routes.map(({ surface, method, path }) => `${surface} ${method} ${path}`),
          ),
        ),
      ],
      settings: Object.assign({}, ...plugins.map(settingsOf)) as Record<string, SettingAccount>,
      packages: [...new Set(byVariant(feature.packages, undefined))].sort(),
      owns: ownPrefixes
        .map(({ prefix }) => `${shown(prefix, plan.profile.base)}${prefix.endsWith('/') ? '/' : ''}`)
        .sort(),
    }
    return [id, row] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

async function pluginsOf(id: string, feature: LocatedFeature): Promise<Plugin[]> {
  const variants = typeof feature.plugin === 'object' ? Object.keys(feature.plugin) : [true as const]
  const planned = await Promise.all(variants.map((variant) => planFeature(id, variant, feature)))
  return planned.flatMap(({ plugin }) => plugin ?? [])
}

function settingsOf(plugin: Plugin): Record<string, SettingAccount> {
  const keys = Object.keys(plugin.settings ?? {})
  const table = settingsTable([plugin])
  return Object.fromEntries(
    keys.sort().map((key) => {
      const { default: value, expected, summary, secret } = table[key]!
      return [key, { ...(!secret && value !== undefined && { default: value }), expected, ...(summary && { summary }) }]
    }),
  )
}
