/** The filter of the cards in the address of the page. */
import { choiceOf, query, setQuery } from '../../lib/router.ts'
import { type CardFilter, NAMES } from './card-tests.ts'

/** The filter of the present address. */
export function filterOfAddress(): CardFilter {
  const of = (name: keyof CardFilter): string => choiceOf(name)[0]
  return { q: of('q'), label: of('label'), assignee: of('assignee'), holder: of('holder'), conflict: of('conflict') }
}

/** Removes all restrictions from the address. */
export function clearFilter(): void {
  for (const name of NAMES) if (query.peek().has(name)) setQuery(name, undefined)
}
