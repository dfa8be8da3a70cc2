/** The filter of the entries in the address of the page. */
import { choiceOf } from '../../lib/router.ts'
import { type Filter, NO_FILTER } from './filter.ts'

const NAMES = Object.keys(NO_FILTER) as readonly (keyof Filter)[]

/** The filter of the present address. */
export function filterOfAddress(): Filter {
  const filter: Record<keyof Filter, string> = { ...NO_FILTER }
  for (const name of NAMES) filter[name] = choiceOf(name)[0]
  return filter
}

/** Writes a filter to the address. */
export function setFilterInAddress(filter: Filter): void {
  for (const name of NAMES) choiceOf(name)[1](filter[name])
}
