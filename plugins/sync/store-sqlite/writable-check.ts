/** Whether rows can be written, for probes of readiness. */
import { isSvcError } from '../../../core/declare/errors.ts'
import type { ReceiptStore } from '../engine/store/api.ts'
import { writeProbe } from './statements.ts'
import { requireRoom } from './storage-folder.ts'

/** What the check needs. */
export interface WritableParts {
  readonly store: Pick<ReceiptStore, 'write'>
  /** The folder of the store. */
  readonly folder: string
  /** Monotonic time in milliseconds. */
  readonly now: () => number
  /** It looks at most once in this time, in milliseconds. */
  readonly everyMs: number
}

/** The writes of a store, which the check watches, and the check. */
export interface WritableCheck extends Pick<ReceiptStore, 'write'> {
  /** Rejects while nothing can be written: there is no room, or the last write failed and another one does so too. */
  checkWritable(): Promise<void>
}

/** Creates the watched writes and the check. */
export function createWritableCheck({ store, folder, now, everyMs }: WritableParts): WritableCheck {
  /** Why the last write failed, or undefined. */
  let failedWrite: unknown
  let checkedAtMs = -Infinity
  let checked: unknown
  let checking: Promise<void> | undefined
  const write: ReceiptStore['write'] = async (work) => {
    try {
      const value = await store.write(work)
      failedWrite = undefined
      return value
    } catch (error) {
      if (isSvcError(error, 'receipt_store_unavailable')) failedWrite = error
      throw error
    }
  }
  const look = async (): Promise<void> => {
    try {
      requireRoom(folder)
      // Only a row that is written shows that rows can be written again.
      if (failedWrite !== undefined) await write((ledger) => writeProbe(ledger, now()))
      checked = undefined
    } catch (error) {
      checked = error
    }
  }
  return {
    write,
    async checkWritable() {
      if (checking === undefined && now() - checkedAtMs >= everyMs) {
        checkedAtMs = now()
        // All who ask in the meantime wait for the same look.
        checking = look().finally(() => {
          checking = undefined
        })
      }
      await checking
      if (checked !== undefined) throw checked
    },
  }
}
