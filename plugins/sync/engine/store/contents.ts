/** What is in a store, counted by kind. */

import type { StorePart } from '../../../../core/declare/capabilities.ts'
import type { StoreContent, StoreDriver } from '../../../store/api.ts'
import { countRows } from './statements.ts'

/** How many there are of each kind, by its name in `svc store info`. */
export type StoreCounts = Readonly<Record<string, number>>

/** The tables of the store itself; store parts name the others. */
const OWN: readonly StoreContent[] = [
  { name: 'receipts', table: 'receipts', words: ['receipt', 'receipts'] },
  { name: 'events', table: 'events' },
  { name: 'devices', table: 'devices', words: ['device', 'devices'] },
  { name: 'projects', table: 'projects' },
]
/** Printed last. */
const OUTBOX: StoreContent = { name: 'outbox', table: 'outbox' }

/** Counts what is in a store. A table that the store does not have yet counts 0. */
export function countContents(driver: StoreDriver, parts: readonly StorePart[]): StoreCounts {
  return Object.fromEntries(contentsOf(parts).map(({ name, table, where }) => [name, countRows(driver, table, where)]))
}

/** The counts in words, such as `1 receipt, 2 devices`. Leaves out what there is none of, except receipts. */
export function inWords(counts: StoreCounts, parts: readonly StorePart[]): string {
  return contentsOf(parts)
    .flatMap(({ name, words }) => {
      const many = counts[name] ?? 0
      return words === undefined || (many === 0 && name !== 'receipts') ? [] : [`${many} ${words[many === 1 ? 0 : 1]}`]
    })
    .join(', ')
}

function contentsOf(parts: readonly StorePart[]): readonly StoreContent[] {
  return [...OWN, ...parts.flatMap(({ contents = [] }) => contents), OUTBOX]
}
