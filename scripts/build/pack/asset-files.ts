/** The files that a target ships beside its bundle. */
import { resolve } from 'node:path'
import { root } from '../paths.ts'
import type { TargetPlan } from '../plan/target-plan.ts'

/** The path of the source of each asset, by its name beside the bundle. */
export function assetFiles({ features }: Pick<TargetPlan, 'features'>): Record<string, string> {
  const all = features.flatMap(({ feature }) => Object.entries(feature.assets ?? {}))
  return Object.fromEntries(all.map(([name, source]) => [name, resolve(root, source)]))
}
