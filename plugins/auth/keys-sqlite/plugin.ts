/** The store of API keys: in memory, or in the SQLite store of the node. */
import { documented } from '../../../core/documented.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { choice } from '../../../core/settings/kinds.ts'
import type {} from '../../sync/capabilities.ts'
import { createMemoryKeyStore } from '../api-keys/store/memory-store.ts'
import type {} from '../capabilities.ts'
import { createSqliteKeyStore } from './sqlite-store.ts'

/** Another service on the same folder may create and revoke keys. Its changes count here within this time. */
const REFRESH_MS = 1_000

/** Feature `auth.keys-sqlite`. */
export const plugin: Plugin = definePlugin({
  name: 'auth.keys_sqlite',
  feature: 'auth.keys-sqlite',
  requires: ['ReceiptStore'],
  provides: ['KeyStore'],
  settings: {
    'security.key_store': choice({
      of: ['memory', 'sqlite'],
      default: 'memory',
      summary: documented(
        'Where API keys are kept: `memory`, which ends with the process, or `sqlite` in `storage.dir`.',
      ),
    }),
  },
  setup(ctx) {
    const { clock, log } = ctx
    if (ctx.settings['security.key_store'] === 'memory') {
      ctx.provide('KeyStore', createMemoryKeyStore(clock))
      return
    }
    const keys = createSqliteKeyStore({
      store: ctx.use('ReceiptStore'),
      clock,
      onUsesFailed: (error) => log.warn('The last uses of API keys were not written.', { error }),
    })
    ctx.provide('KeyStore', keys)
    let timer: unknown
    let refreshing: Promise<void> = Promise.resolve()
    const schedule = (): void => {
      timer = clock.setTimeout(() => {
        // A store that cannot be read now is asked again; the store itself logs why.
        refreshing = keys.refresh().catch((error: unknown) => log.debug('API keys were not refreshed.', { error }))
        schedule()
      }, REFRESH_MS)
    }
    ctx.onStart(async () => {
      const damaged = await keys.load()
      if (damaged.length > 0) log.error('Rows of API keys are damaged; these keys are refused.', { damaged })
      schedule()
    })
    ctx.onStop(async () => {
      clock.clearTimeout(timer)
      await refreshing
      await keys.close()
    })
  },
})
