/** Search over the words of boards. */

import { setImmediate } from 'node:timers/promises'
import { described } from '../../../core/declare/described.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { json } from '../../../core/http/reply.ts'
import { createSerialQueue } from '../../../core/kernel/serial-queue.ts'
import type { StoreDriver } from '../../store/api.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../capabilities.ts'
import { fail } from '../errors.ts'
import { answers, parameters } from './answers.ts'
import { contract } from './contract.ts'
import { readSearch, type SearchQuery } from './query.ts'
import { createSearch, type SearchAnswer } from './search.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'

/** Milliseconds before the index is opened again after a failure. */
const REOPEN_MS = 2_000

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.search': true
  }
}

/** Feature `kbd.search`. */
export const feature: FeatureValue<'kbd.search'> = defineFeature({
  id: 'kbd.search',
  about: described({
    at: import.meta.url,
    summary: 'Search over the words of boards',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['kbd.api'],
    platform: 'node',
    contract,
  }),
  needs: { ReceiptStore: 'required', SyncShared: 'required', Boards: 'required' },
  setup(ctx) {
    const { clock } = ctx
    const [store, boards, shared] = [ctx.get('ReceiptStore'), ctx.get('Boards'), ctx.get('SyncShared')]
    const indexes = new WeakMap<StoreDriver, SearchIndex>()
    const indexOf = (driver: StoreDriver): SearchIndex => {
      let index = indexes.get(driver)
      if (index === undefined) indexes.set(driver, (index = createSearchIndex(driver, shared)))
      return index
    }
    boards.derive(
      (applied, { driver, beforeCommit }) => indexOf(driver).applied(applied, beforeCommit),
      (hash, { driver }) => {
        if (indexOf(driver).arrived(hash)) fill()
      },
    )
    // Texts that many things name are indexed in several short transactions. `hasMore`: texts may be left.
    let [hasMore, isStopped] = [false, false]
    let filling: Promise<void> | undefined
    const fill = (): void => {
      hasMore = true
      filling ??= fillAll()
    }
    const fillAll = async (): Promise<void> => {
      while (hasMore && !isStopped) {
        hasMore = false
        try {
          const more = await store.write(({ driver }) => indexOf(driver).fill())
          hasMore ||= more
        } catch (error) {
          // The next text that arrives, or the next start, continues.
          ctx.log.warn('Texts are not searched yet.', { error })
        }
      }
      // No await since the last check of `hasMore`, so that a text that arrives later begins a new run.
      filling = undefined
    }
    /** Runs one slice of one search in each turn of the event loop. Concurrent searches alternate. */
    const inTurn = createSerialQueue()
    const search = async (query: SearchQuery): Promise<SearchAnswer> => {
      const next = createSearch(query)
      for (;;) {
        const answer = await inTurn(async () => {
          await setImmediate()
          return boards.read((reads, driver) => next(driver, reads))
        })
        if (answer !== undefined) return answer
      }
    }
    /** The error because of which the index is not open; undefined if the index is open. */
    let closed: unknown
    let timer: unknown
    const open = async (): Promise<void> => {
      try {
        await store.write(({ driver }) => indexOf(driver).open())
        closed = undefined
        fill()
      } catch (error) {
        // A store on a full disk can still be read. The index is opened once there is room.
        if (!isSvcError(error, 'receipt_store_unavailable')) throw error
        if (closed === undefined) ctx.log.warn('Boards are not searched yet: the index cannot be opened.', { error })
        closed = error
        if (!isStopped) timer = clock.setTimeout(() => void open().catch(() => undefined), REOPEN_MS)
      }
    }
    ctx.onStart(open)
    ctx.onDrain(async () => {
      isStopped = true
      clock.clearTimeout(timer)
      await filling
    })
    return {
      boards,
      search: (query: SearchQuery): Promise<SearchAnswer> => {
        if (closed !== undefined) throw closed
        return search(query)
      },
    }
  },
  routes: (route) => [
    route('local GET /api/v1/search', {
      about: described({
        id: 'search',
        summary: 'Finds boards, columns, cards and comments by their words.',
        parameters,
        answers,
      }),
      handler: async ({ request }, { boards, search }) => {
        const query = readSearch((name) => request.queryParam(name))
        if (query.project !== undefined && !(await boards.exists(query.project))) throw fail('project_not_found')
        return json(200, await search(query), { 'cache-control': 'no-store' })
      },
    }),
  ],
})
