import { setImmediate } from 'node:timers/promises'
import { documented } from '../../../core/documented.ts'
import { isSvcError } from '../../../core/errors.ts'
import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { LedgerDriver } from '../../sync/api.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../capabilities.ts'
import { fail } from '../errors.ts'
import { readSearch, type SearchQuery } from './query.ts'
import { createSearch, type SearchAnswer } from './search.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'

const route: RouteSpec = {
  surface: 'local',
  method: 'GET',
  path: '/api/v1/search',
  summary: documented('Finds boards, columns, cards and comments by their words.'),
}

/** After the index could not be opened, it is tried again then, in milliseconds. */
const REOPEN_MS = 2_000

/** Feature `kbd.search`. */
export const plugin: Plugin = definePlugin({
  name: 'kbd.search',
  feature: 'kbd.search',
  requires: ['ReceiptStore', 'SyncShared', 'Boards'],
  routes: [route],
  setup(ctx) {
    const { clock } = ctx
    const [store, boards, shared] = [ctx.use('ReceiptStore'), ctx.use('Boards'), ctx.use('SyncShared')]
    const indexes = new WeakMap<LedgerDriver, SearchIndex>()
    const indexOf = (driver: LedgerDriver): SearchIndex => {
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
    /** Texts that many things name are taken up by and by: each transaction is a short one. */
    let [isLeft, isStopped] = [false, false]
    let filling: Promise<void> | undefined
    const fill = (): void => {
      isLeft = true
      filling ??= fillAll()
    }
    const fillAll = async (): Promise<void> => {
      while (isLeft && !isStopped) {
        isLeft = false
        try {
          const more = await store.write(({ driver }) => indexOf(driver).fill())
          isLeft ||= more
        } catch (error) {
          // The next text that comes, or the next start, goes on with it.
          ctx.log.warn('Texts are not searched yet.', { error })
        }
      }
      // In the same stretch as the last look: a text that comes later must begin anew.
      filling = undefined
    }
    /** One slice of one search in a turn of the loop: those that come together go on in turns, and hold nobody up. */
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = <Made>(work: () => Promise<Made>): Promise<Made> => {
      const made = last.then(() => setImmediate()).then(work)
      last = made.catch(() => undefined)
      return made
    }
    const search = async (query: SearchQuery): Promise<SearchAnswer> => {
      const next = createSearch(query)
      for (;;) {
        const answer = await inTurn(() => boards.read((reads, driver) => next(driver, reads)))
        if (answer !== undefined) return answer
      }
    }
    /** Why the index is not open yet. */
    let closed: unknown
    let timer: unknown
    const open = async (): Promise<void> => {
      try {
        await store.write(({ driver }) => indexOf(driver).open())
        closed = undefined
        fill()
      } catch (error) {
        // A store on a full disk can be read; the index is opened once there is room.
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
    ctx.route(route, async (request) => {
      const query = readSearch((name) => request.queryParam(name))
      if (query.project !== undefined && !(await boards.exists(query.project))) throw fail('project_not_found')
      if (closed !== undefined) throw closed
      return json(200, await search(query), { 'cache-control': 'no-store' })
    })
  },
})
