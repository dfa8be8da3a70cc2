/** The row of `sync.store-host` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.store-host': true
  }
}

/** Feature `sync.store-host`. */
export const feature: Feature<'sync.store-host'> = {
  at: import.meta.url,
  summary: 'The engine as a library, its receipts in a SQLite of the host',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine'],
  conflicts: ['sync.store-sqljs'],
  platform: 'bare',
  exports: { createEmbedded: () => import('./create-embedded.ts') },
  packages: ['@noble/hashes'],
  contract,
}
