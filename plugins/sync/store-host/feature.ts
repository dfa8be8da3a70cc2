/** The engine as a library, on a SQLite of the host. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'sync.store-host': true
  }
}

/** Feature `sync.store-host`. */
export const feature: FeatureValue<'sync.store-host'> = defineFeature({
  id: 'sync.store-host',
  about: described({
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
  }),
})
