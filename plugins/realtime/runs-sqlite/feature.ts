/** Keeps runs in the SQLite store of the node, where a setting says so. */

import { setImmediate as yieldLoop } from 'node:timers/promises'
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { choice, integer } from '../../../core/declare/settings.ts'
import { modeSetting } from '../../../core/kernel/settings/server.ts'
import type {} from '../../store/capabilities.ts'
import type {} from '../capabilities.ts'
import { contract } from './contract.ts'
import { SqliteRunStore } from './sqlite-run-store.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.runs-sqlite': true
  }
}

/** Feature `realtime.runs-sqlite`. */
export const feature: FeatureValue<'realtime.runs-sqlite', never, 'RunStore'> = defineFeature({
  id: 'realtime.runs-sqlite',
  name: 'realtime.runs_sqlite',
  about: described({
    at: import.meta.url,
    summary: 'Runs and their events in the SQLite store of the node, where realtime.run_store says so',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['realtime.runs', 'sync.store-sqlite'],
    conflicts: ['cluster.nats'],
    platform: 'node',
    storePart: () => import('./store-part.ts'),
    contract,
  }),
  needs: { NodeStore: 'required' },
  provides: ['RunStore'],
  settings: {
    ...modeSetting,
    'realtime.run_store': choice({
      of: ['memory', 'sqlite'],
      default: 'memory',
      summary: documented('Where runs are kept: `memory`, which ends with the process, or `sqlite` in `storage.dir`.'),
    }),
    'realtime.orphan_after_ms': integer({
      default: 300_000,
      min: 20,
      unit: 'ms',
      summary: documented(
        'With `sqlite`: time after a start in which a run that was under way at the last stop needs an event; otherwise it is ended with RUN_ERROR.',
      ),
    }),
  },
  setup({ settings, log, ...ctx }) {
    // A process without the runtime surface must not end runs that another process on the same store serves.
    if (settings['realtime.run_store'] === 'memory' || settings['server.mode'] === 'sync') {
      ctx.provide('RunStore', undefined)
      return
    }
    const store = new SqliteRunStore({
      store: ctx.get('NodeStore'),
      orphanAfterMs: settings['realtime.orphan_after_ms'],
      now: () => ctx.clock.now(),
      yieldLoop: () => yieldLoop(),
      onError: (error) => log.warn('The store of runs could not be written or read.', { error }),
    })
    ctx.provide('RunStore', store)
    ctx.onStart(async () => {
      const damaged = await store.load()
      if (damaged.length > 0) log.error('Rows of runs are damaged; these runs are not served.', { damaged })
    })
  },
})
