/** One feature of a bundle, with its chosen variant. */
import { resolve } from 'node:path'
import type { Operations } from '../../../core/declare/operation.ts'
import { operationsOfRoutes } from '../../../core/declare/operations-of-routes.ts'
import type { Plugin } from '../../../core/declare/plugin.ts'
import { root } from '../paths.ts'
import type { LocatedFeature } from './locate-feature.ts'

/** A feature of a target. */
export interface PlannedFeature {
  readonly id: string
  readonly feature: LocatedFeature
  /** Name of the variant, if the feature has variants. */
  readonly variant: string | undefined
  /** Absolute path of the plugin's module. */
  readonly module: string | undefined
  readonly plugin: Plugin | undefined
}

/** Plans a feature in one variant. `true` is the choice for a feature without variants. */
export function planFeature(id: string, choice: boolean | string, feature: LocatedFeature): PlannedFeature {
  const variant = typeof choice === 'string' ? choice : undefined
  const path = typeof feature.plugin === 'object' ? feature.plugin[variant!] : feature.plugin
  const module = path === undefined ? undefined : resolve(root, path)
  return {
    id,
    feature,
    variant,
    module,
    plugin: module === undefined ? undefined : feature.value,
  }
}

/** Plans a feature in each of its variants. */
export function planVariants(id: string, feature: LocatedFeature): PlannedFeature[] {
  const variants = typeof feature.plugin === 'object' ? Object.keys(feature.plugin) : [true as const]
  return variants.map((variant) => planFeature(id, variant, feature))
}

/** The operations of a feature for OpenAPI, by `<surface> <method> <path>` of its route. */
export function operationsOf({ value }: LocatedFeature): Operations {
  return value.operations ?? operationsOfRoutes(value.made)
}
