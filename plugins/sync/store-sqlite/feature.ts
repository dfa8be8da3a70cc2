/** The row of `sync.store-sqlite` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.store-sqlite': true
  }
}

/** Feature `sync.store-sqlite`. */
export const feature: Feature<'sync.store-sqlite'> = {
  at: import.meta.url,
  summary: 'Receipts in a SQLite file, on disk before they are acknowledged',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  libraries: ['protocol'],
  contract,
}
