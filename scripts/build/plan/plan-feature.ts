/** One feature of a bundle, with its chosen variant and its loaded plugin. */

import { resolve } from 'node:path'
import type { Plugin } from '../../../core/plugin.ts'
import { readModule } from '../modules/read-module.ts'
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
export async function planFeature(
  id: string,
  choice: boolean | string,
  feature: LocatedFeature,
): Promise<PlannedFeature> {
  const variant = typeof choice === 'string' ? choice : undefined
  const path = typeof feature.plugin === 'object' ? feature.plugin[variant!] : feature.plugin
  const module = path === undefined ? undefined : resolve(root, path)
  return { id, feature, variant, module, plugin: module === undefined ? undefined : await loadPlugin(module) }
}

async function loadPlugin(module: string): Promise<Plugin> {
  return ((await readModule(module)) as { plugin: Plugin }).plugin
}
