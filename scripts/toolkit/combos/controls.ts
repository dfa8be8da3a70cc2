/**
 * Chooses the set on which the absence of each feature is controlled. One control per feature is enough, and few sets
 * with controls are cheaper than many.
 */
import type { LocatedFeature } from '../../build/plan/locate-feature.ts'
import type { Combination } from './matrix-space.ts'

/** A numbered set, with the features whose absence is controlled on it. */
export interface Named {
  readonly number: number
  readonly combination: Combination
  readonly controlled: ReadonlySet<string>
}

/** The name of a chosen feature: `probes`, `auth.guard=web`. */
export function nameOf([id, choice]: readonly [string, boolean | string]): string {
  return typeof choice === 'string' ? `${id}=${choice}` : id
}

/**
 * For each set, the names of the features and variants whose controls run on it. Each feature that at least one set
 * lacks is controlled once.
 */
export function controlsOf(
  combinations: readonly Combination[],
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
): ReadonlySet<string>[] {
  const all = Object.entries(knownFeatures).flatMap(([id, { plugin }]) =>
    typeof plugin === 'object' ? Object.keys(plugin).map((variant) => `${id}=${variant}`) : [id],
  )
  const absent = combinations.map(({ features }) => {
    const present = new Set(Object.entries(features).map(nameOf))
    return all.filter((name) => !present.has(name))
  })
  const controlled = combinations.map(() => new Set<string>())
  const open = new Set(absent.flat())
  while (open.size > 0) {
    const counts = absent.map((names) => names.filter((name) => open.has(name)).length)
    const at = counts.indexOf(Math.max(...counts))
    for (const name of absent[at]!) if (open.delete(name)) controlled[at]!.add(name)
  }
  return controlled
}
