/** The row of `auth.exchange` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'auth.exchange': true
  }
}

/** Feature `auth.exchange`. */
export const feature: Feature<'auth.exchange'> = {
  at: import.meta.url,
  summary: 'Short-lived bearer tokens in exchange for an API key',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.jwt', 'auth.api-keys'],
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
