/** Removes settled receipts that are older than the limit `retentionDays`. */
import type { EngineOptions } from '../options.ts'
import { receiptNos } from '../store/statements.ts'
import { readable } from './settle.ts'
import { isSettled } from './states.ts'

/** Receipts in one transaction. */
const SLICE = 64
const DAY_MS = 86_400_000

/** Removes old receipts. Ends early once `isStopped` is true. Rejects if the store cannot be used. */
export async function removeOld(options: EngineOptions, isStopped: () => boolean): Promise<void> {
  const { store, now, limits } = options
  if (limits.retentionDays === 0) return
  const beforeMs = now() - limits.retentionDays * DAY_MS
  for (let after: number | undefined = -1; after !== undefined && !isStopped(); ) {
    const from: number = after
    const { nos, old, young } = await store.read((ledger) => {
      const nos = receiptNos(ledger, from, SLICE)
      const pushes = nos.map((no) => readable(ledger, no)).filter((push) => push !== undefined)
      const isOld = pushes.filter(({ createdAtMs }) => createdAtMs < beforeMs)
      const settled = isOld.filter((push) => isSettled(push, now(), limits.settleAfterMs))
      return { nos, old: settled.map(({ no }) => no), young: isOld.length === 0 && pushes.length > 0 }
    })
    if (old.length > 0)
      await store.write((ledger) => {
        for (const no of old) ledger.dropPush(no)
      })
    // Numbers increase with time: after a slice of young receipts there are only younger ones.
    after = young ? undefined : nos[SLICE - 1]
    if (after !== undefined) await options.yieldLoop()
  }
}

/**
 * For an engine without timers: the returned function removes old receipts at its first call, and then at most once a
 * day.
 */
export function createRetention(options: EngineOptions): () => Promise<void> {
  let lastMs: number | undefined
  return async () => {
    if (options.limits.retentionDays === 0) return
    try {
      const nowMs = options.now()
      // After a step back of the clock, the next run is not later than a day from now.
      if (lastMs !== undefined && Math.abs(nowMs - lastMs) < DAY_MS) return
      lastMs = nowMs
      await removeOld(options, () => false)
    } catch (error) {
      options.log.log('warn', 'Old receipts were not removed.', { error })
    }
  }
}
