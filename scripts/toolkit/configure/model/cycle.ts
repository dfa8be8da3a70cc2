/** The next place and the next variants of a feature, for keys that go through all of them. */
import type { Place } from './catalogue.ts'
import type { Where } from './chosen.ts'
import type { RowView } from './view.ts'

/** The place after the present one. */
export function nextWhere({ where }: Pick<RowView, 'where'>): Where {
  return where === 'both' ? 'main' : 'both'
}

/** The variants to choose for the next combination of variants in the library and the program; empty if there is one only. */
export function nextVariants(
  { chosen, fitting }: Pick<RowView, 'chosen' | 'fitting'>,
  step: 1 | -1,
): readonly (readonly [Place, string])[] {
  const places = (['library', 'main'] as const).filter((place) => chosen[place] !== undefined)
  const combinations = places.reduce<readonly (readonly (readonly [Place, string])[])[]>(
    (found, place) => found.flatMap((one) => (fitting[place] ?? []).map((name) => [...one, [place, name] as const])),
    [[]],
  )
  const now = combinations.findIndex((one) => one.every(([place, name]) => chosen[place] === name))
  const next = combinations[(now + step + combinations.length) % combinations.length] ?? []
  return next.filter(([place, name]) => chosen[place] !== name)
}
