/** The row of `cluster.postgres` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'cluster.postgres': true
  }
}

/** Feature `cluster.postgres`. */
export const feature: Feature<'cluster.postgres'> = {
  at: import.meta.url,
  summary: 'API keys and revocations of several nodes in one PostgreSQL, and exchange tokens that count on all of them',
  stability: 'experimental',
  since: '0.1.0',
  requires: ['auth.api-keys', 'auth.exchange', 'probes'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands.ts'),
  packages: ['postgres'],
  contract,
}
