/** Events that a run counts. A simulation in which an event never happens proves nothing about it. */

/** The names of all counts. */
export const FIGURES = [
  'exchanges',
  'unreachable',
  'timeouts',
  'repeated',
  'cuts',
  'crashes',
  'lost commits',
  'failed syncs',
  'clocks set',
  'wrong clocks',
  'upgrades',
  'revocations',
  'forgotten peers',
  'commands',
  'pushes',
  'replays',
  'refusals',
  'forks',
  'applied',
  'rejected',
  'false words',
  'contradicted words',
  'claims that takers saw',
  'stores on bytes',
  'stores on databases',
] as const

/** The name of a count. */
export type Figure = (typeof FIGURES)[number]

/** The counts of a run, by name. */
export type Figures = Readonly<Record<Figure, number>>

/** Counts of zero. */
export function noFigures(): Record<Figure, number> {
  return Object.fromEntries(FIGURES.map((name) => [name, 0])) as Record<Figure, number>
}

/** The sum of the counts of several runs. */
export function sumOf(runs: readonly Figures[]): Figures {
  const sum = noFigures()
  for (const figures of runs) for (const name of FIGURES) sum[name] += figures[name]
  return sum
}
