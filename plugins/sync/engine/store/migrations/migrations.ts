/** Every version of the store there has been, oldest first: the n-th entry brings a file from version n - 1 to n. */
import type { SqlDriver } from '../driver.ts'
import { receipts } from './1-receipts.ts'
import { sums } from './2-sums.ts'
import { boards } from './3-boards.ts'
import { peers } from './4-peers.ts'
import { outbox } from './5-outbox.ts'

declare const __KBD_ENGINE__: boolean
declare const __PEER_REGISTRY__: boolean

/** SQL, or what SQL alone cannot do. Both run inside the transaction of the whole migration. */
export type Migration = string | ((driver: SqlDriver) => void)

/**
 * Only ever appended to: a feature that keeps something of its own in the store adds its entry at the end. A build carries
 * the chain up to the last entry that one of its features needs, so that a version is the same in all builds; a file that
 * is further than that is refused, because what is in it would not be kept in step.
 */
export const migrations: readonly Migration[] =
  typeof __PEER_REGISTRY__ === 'undefined' || __PEER_REGISTRY__
    ? [receipts, sums, boards, peers, outbox]
    : __KBD_ENGINE__
      ? [receipts, sums, boards]
      : [receipts, sums]
