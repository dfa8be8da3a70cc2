/** Streams the events of a push to callers in the same process. */
import type { ReceiptEvent } from '../../api.ts'
import type { SyncEngine } from '../engine.ts'

/** An iterator over events that can always be ended. */
export interface ReceiptFeed extends AsyncIterableIterator<ReceiptEvent> {
  return(): Promise<IteratorResult<ReceiptEvent>>
}

/**
 * Iterates over the stored events after a sequence, then over new ones. Ends when the push is settled, when `return` is
 * called (as leaving a `for await` does), or when `signal` aborts. Unread events stay in the store and are not
 * buffered.
 */
export function createFeed(
  engine: Pick<SyncEngine, 'events' | 'watch'>,
  pushId: string,
  after: number,
  signal?: AbortSignal,
): ReceiptFeed {
  let cursor = after
  let page: readonly ReceiptEvent[] = []
  let ended = false
  let dirty = false
  let wake: (() => void) | undefined
  const touch = (): void => {
    dirty = true
    wake?.()
  }
  const unwatch = engine.watch(pushId, touch)
  const end = (): void => {
    ended = true
    page = []
    unwatch()
    wake?.()
  }
  signal?.addEventListener('abort', end, { once: true })

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      while (page.length === 0 && !ended) {
        dirty = false
        const answer = await engine.events(pushId, cursor).catch((error: unknown) => {
          end()
          throw error
        })
        if (ended) break
        page = answer.events
        if (page.length > 0) break
        if (answer.ended) end()
        else if (!dirty) await new Promise<void>((resolve) => (wake = resolve))
      }
      const [value, ...rest] = page
      if (value === undefined) return { done: true, value: undefined }
      page = rest
      cursor = value.sequence
      return { done: false, value }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
}
