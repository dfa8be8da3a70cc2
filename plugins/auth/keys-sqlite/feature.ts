/** The store of API keys, in memory or in the SQLite store of the node, and that of revocations. */

import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { choice } from '../../../core/declare/settings.ts'
import type {} from '../../store/capabilities.ts'
import { createOwnKeyStore } from '../api-keys/store/all-keys.ts'
import type {} from '../capabilities.ts'
import { contract } from './contract.ts'
import { createSqliteRevocations } from './revocations/sqlite-revocations.ts'
import { createSqliteKeyStore } from './sqlite-store.ts'

/** Another service on the same folder may change keys and revocations. Its changes count here within this time. */
const REFRESH_MS = 500

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.keys-sqlite': true
  }
}

/** Feature `auth.keys-sqlite`. */
export const feature: FeatureValue<'auth.keys-sqlite', never, 'KeyStore' | 'RevocationStore'> = defineFeature({
  id: 'auth.keys-sqlite',
  name: 'auth.keys_sqlite',
  about: described({
    at: import.meta.url,
    summary: 'Revocations in the SQLite store of the node, and API keys where security.key_store says so',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['auth.api-keys', 'sync.store-sqlite'],
    conflicts: ['cluster.postgres'],
    platform: 'node',
    storePart: () => import('./store-part.ts'),
    contract,
  }),
  needs: { NodeStore: 'required' },
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
    const store = ctx.get('NodeStore')
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
