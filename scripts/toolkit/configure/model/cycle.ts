/** Moves through the list of features: search, and keys for the next place and the next variants. */
import type { Place, Where } from './catalogue.ts'
import type { RowView } from './view.ts'

/** The place after the present one. */
export function nextWhere({ where }: Pick<RowView, 'where'>): Where {
  return where === 'both' ? 'main' : 'both'
}

/**
 * The variants to choose for the next combination of variants in the library and the program; empty if there is one
 * only.
 */
export function nextVariants(
  { chosen, fitting }: Pick<RowView, 'chosen' | 'fitting'>,
  step: 1 | -1,
): readonly (readonly [Place, string])[] {
  const places = (['library', 'main'] as const).filter((place) => chosen[place] !== undefined)
  const combinations = places.reduce<readonly (readonly (readonly [Place, string])[])[]>(
    (prefixes, place) =>
      prefixes.flatMap((one) => (fitting[place] ?? []).map((name) => [...one, [place, name] as const])),
    [[]],
  )
  const now = combinations.findIndex((one) => one.every(([place, name]) => chosen[place] === name))
  const next = combinations[(now + step + combinations.length) % combinations.length] ?? []
  return next.filter(([place, name]) => chosen[place] !== name)
}

/** The features whose name or summary has all words of a search. */
export function matchingRows<Row extends { readonly id: string; readonly summary: string }>(
  rows: readonly Row[],
  search: string,
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/)
  return rows.filter(({ id, summary }) => words.every((word) => `${id} ${summary}`.toLowerCase().includes(word)))
}
