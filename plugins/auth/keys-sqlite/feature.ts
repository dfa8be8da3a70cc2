/** The row of `auth.keys-sqlite` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'auth.keys-sqlite': true
  }
}

/** Feature `auth.keys-sqlite`. */
export const feature: Feature<'auth.keys-sqlite'> = {
  at: import.meta.url,
  summary: 'Revocations in the SQLite store of the node, and API keys where security.key_store says so',
  stability: 'experimental',
  since: '0.4.0',
  requires: ['auth.api-keys', 'sync.store-sqlite'],
  conflicts: ['cluster.postgres'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  storePart: () => import('./store-part.ts'),
  contract,
}
