/** Every version of the store there has been, oldest first: the n-th entry brings a file from version n - 1 to n. */
import type { SqlDriver } from '../driver.ts'
import { receipts } from './1-receipts.ts'
import { sums } from './2-sums.ts'

/** SQL, or what SQL alone cannot do. Both run inside the transaction of the whole migration. */
export type Migration = string | ((driver: SqlDriver) => void)

/**
 * Only ever appended to: a feature that keeps something of its own in the store adds its entry at the end, and that entry
 * runs in every build, so that one file serves them all.
 */
export const migrations: readonly Migration[] = [receipts, sums]
