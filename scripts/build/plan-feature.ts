/** One feature as a bundle has it: its variant chosen, its plugin loaded. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Feature } from '../../core/feature.ts'
import type { Plugin } from '../../core/plugin.ts'
import { root } from './paths.ts'

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

/** A feature as it would be planned in one variant, or plainly with `true`. */
export async function planFeature(id: string, choice: boolean | string, feature: Feature): Promise<PlannedFeature> {
  const variant = typeof choice === 'string' ? choice : undefined
  const path = typeof feature.plugin === 'object' ? feature.plugin[variant!] : feature.plugin
  const module = path === undefined ? undefined : resolve(root, path)
  return { id, feature, variant, module, plugin: module === undefined ? undefined : await loadPlugin(module) }
}

async function loadPlugin(module: string): Promise<Plugin> {
  return ((await import(pathToFileURL(module).href)) as { plugin: Plugin }).plugin
}
