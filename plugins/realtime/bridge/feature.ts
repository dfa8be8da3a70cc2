/** The row of `realtime.bridge` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'realtime.bridge': true
  }
}

/** Feature `realtime.bridge`. */
export const feature: Feature<'realtime.bridge'> = {
  at: import.meta.url,
  summary: 'A snapshot and every change after it, for an embedded store',
  stability: 'stable',
  since: '0.1.0',
  requires: ['realtime.live'],
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
