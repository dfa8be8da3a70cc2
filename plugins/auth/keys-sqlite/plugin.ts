/** The store of API keys, in memory or in the SQLite store of the node, and that of revocations. */
import { documented } from '../../../core/documented.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { choice } from '../../../core/settings/kinds.ts'
import type {} from '../../sync/capabilities.ts'
import { createOwnKeyStore } from '../api-keys/store/own-store.ts'
import type {} from '../capabilities.ts'
import { createSqliteRevocations } from './revocations/sqlite-revocations.ts'
import { createSqliteKeyStore } from './sqlite-store.ts'

/** Another service on the same folder may change keys and revocations. Its changes count here within this time. */
const REFRESH_MS = 500

/** Feature `auth.keys-sqlite`. */
export const plugin: Plugin = definePlugin({
  name: 'auth.keys_sqlite',
  feature: 'auth.keys-sqlite',
  requires: ['ReceiptStore'],
  provides: ['KeyStore', 'RevocationStore'],
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
    const store = ctx.use('ReceiptStore')
    const revocations = createSqliteRevocations(store)
    ctx.provide('RevocationStore', revocations)
    const isMemory = ctx.settings['security.key_store'] === 'memory'
    const keys = isMemory
      ? undefined
      : createSqliteKeyStore({
          store,
          clock,
          onUsesFailed: (error) => log.warn('The last uses of API keys were not written.', { error }),
        })
    ctx.provide('KeyStore', keys ?? createOwnKeyStore(clock))
    let timer: unknown
    let refreshing: Promise<void> = Promise.resolve()
    const refresh = async (): Promise<void> => {
      await revocations.refresh()
      await keys?.refresh()
    }
    const schedule = (): void => {
      timer = clock.setTimeout(() => {
        // A store that cannot be read now is asked again; the store itself logs why.
        refreshing = refresh().catch((error: unknown) =>
          log.debug('API keys and revocations were not refreshed.', { error }),
        )
        schedule()
      }, REFRESH_MS)
    }
    ctx.onStart(async () => {
      const lost = await revocations.load()
      if (lost.length > 0) log.error('Rows of revocations are damaged; revoke these users again.', { damaged: lost })
      const damaged = (await keys?.load()) ?? []
      if (damaged.length > 0) log.error('Rows of API keys are damaged; these keys are refused.', { damaged })
      schedule()
    })
    ctx.onStop(async () => {
      clock.clearTimeout(timer)
      await refreshing
      await keys?.close()
    })
  },
})
