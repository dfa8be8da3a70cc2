/** One feature as a bundle has it: its variant chosen, its plugin loaded. */

import { resolve } from 'node:path'
import type { Plugin } from '../../../core/plugin.ts'
import { readModule } from '../modules/read-module.ts'
import { root } from '../paths.ts'
import type { LocatedFeature } from './locate-feature.ts'

/** A feature as a target has it. */
export interface PlannedFeature {
  readonly id: string
  readonly feature: LocatedFeature
  /** Name of the variant, where the feature has several. */
  readonly variant: string | undefined
  /** Absolute path of the module of its plugin. */
  readonly module: string | undefined
  readonly plugin: Plugin | undefined
}

/** A feature as it would be planned in one variant, or plainly with `true`. */
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
