/** The migrations of the receipt store itself. Other features bring theirs in a store part. */
import type { Migration } from '../migration.ts'
import { RECEIPT_TABLES } from './receipts.ts'
import { addSums } from './sums.ts'

/** In this order; only ever appended to. */
export const ownMigrations: readonly Migration[] = [
  { id: 'sync.receipts', version: 1, up: RECEIPT_TABLES },
  { id: 'sync.sums', version: 2, requires: ['sync.receipts'], up: addSums },
]
