/** The events of a push as they come, for callers in the same process. */
import type { ReceiptEvent } from '../../api.ts'
import type { SyncEngine } from '../engine.ts'

/**
 * Events strictly after a sequence, first those there are, then those to come; ends when the push is settled, when
 * `return` is called (as leaving a `for await` does), or when `signal` aborts. Unread events wait in the store, not here.
 */
export function createFeed(
  engine: Pick<SyncEngine, 'events' | 'watch'>,
  pushId: string,
  after: number,
  signal?: AbortSignal,
): AsyncIterableIterator<ReceiptEvent> {
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
        const found = await engine.events(pushId, cursor).catch((error: unknown) => {
          end()
          throw error
        })
        if (ended) break
        page = found.events
        if (page.length > 0) break
        if (found.ended) end()
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
