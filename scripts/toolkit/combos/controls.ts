/** On which set the absence of each feature is controlled: once is enough, and few sets are cheaper than many. */
import type { LocatedFeature } from '../../build/plan/locate-feature.ts'
import type { Combination } from './matrix-space.ts'

/** A set by its number, with what is controlled on it. */
export interface Named {
  readonly number: number
  readonly combination: Combination
  readonly controlled: ReadonlySet<string>
}

/** A feature as it is chosen: `probes`, `auth.guard=web`. */
export function nameOf([id, choice]: readonly [string, boolean | string]): string {
  return typeof choice === 'string' ? `${id}=${choice}` : id
}

/** For each set the features and variants, by name, whose controls run on it: of each that some set lacks, one. */
export function controlsOf(
  combinations: readonly Combination[],
  known: Readonly<Record<string, LocatedFeature>>,
): ReadonlySet<string>[] {
  const all = Object.entries(known).flatMap(([id, { plugin }]) =>
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
