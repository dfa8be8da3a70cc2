import { setImmediate } from 'node:timers/promises'
import { documented } from '../../../core/documented.ts'
import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { LedgerDriver } from '../../sync/api.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../capabilities.ts'
import { fail } from '../errors.ts'
import { readSearch } from './query.ts'
import { createSearchIndex, type SearchIndex, search } from './search-index.ts'

const route: RouteSpec = {
  surface: 'local',
  method: 'GET',
  path: '/api/v1/search',
  summary: documented('Finds boards, columns, cards and comments by their words.'),
}

/** Feature `kbd.search`. */
export const plugin: Plugin = definePlugin({
  name: 'kbd.search',
  feature: 'kbd.search',
  requires: ['ReceiptStore', 'SyncDoor', 'Boards'],
  routes: [route],
  setup(ctx) {
    const [store, boards, door] = [ctx.use('ReceiptStore'), ctx.use('Boards'), ctx.use('SyncDoor')]
    const indexes = new WeakMap<LedgerDriver, SearchIndex>()
    const indexOf = (driver: LedgerDriver): SearchIndex => {
      let index = indexes.get(driver)
      if (index === undefined) indexes.set(driver, (index = createSearchIndex(driver, door)))
      return index
    }
    boards.derive(
      (applied, driver) => indexOf(driver).applied(applied),
      (hash, driver) => indexOf(driver).arrived(hash),
    )
    /** One search in a turn of the loop: many that come together do not hold it for their sum. */
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = <Made>(work: () => Promise<Made>): Promise<Made> => {
      const made = last.then(() => setImmediate()).then(work)
      last = made.catch(() => undefined)
      return made
    }
    ctx.onStart(() => store.write(({ driver }) => indexOf(driver).open()))
    ctx.route(route, async (request) => {
      const query = readSearch((name) => request.queryParam(name))
      if (query.project !== undefined && !(await boards.exists(query.project))) throw fail('project_not_found')
      const answer = await inTurn(() => boards.read((reads, driver) => search(driver, reads, query)))
      return json(200, answer, { 'cache-control': 'no-store' })
    })
  },
})
