/** What is counted in a run: a simulation in which something of this never happens says nothing about it. */

/** Everything that is counted. */
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
] as const

/** One of them. */
export type Figure = (typeof FIGURES)[number]

/** How often each happened. */
export type Figures = Readonly<Record<Figure, number>>

/** Counts of nothing. */
export function noFigures(): Record<Figure, number> {
  return Object.fromEntries(FIGURES.map((name) => [name, 0])) as Record<Figure, number>
}

/** Counts of several runs. */
export function sumOf(runs: readonly Figures[]): Figures {
  const sum = noFigures()
  for (const figures of runs) for (const name of FIGURES) sum[name] += figures[name]
  return sum
}
