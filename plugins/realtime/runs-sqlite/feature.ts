/** The row of `realtime.runs-sqlite` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'realtime.runs-sqlite': true
  }
}

/** Feature `realtime.runs-sqlite`. */
export const feature: Feature<'realtime.runs-sqlite'> = {
  at: import.meta.url,
  summary: 'Runs and their events in the SQLite store of the node, where realtime.run_store says so',
  stability: 'experimental',
  since: '0.4.0',
  requires: ['realtime.runs', 'sync.store-sqlite'],
  conflicts: ['cluster.nats'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  storePart: () => import('./store-part.ts'),
  contract,
}
