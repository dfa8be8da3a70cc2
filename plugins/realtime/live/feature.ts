/** The row of `realtime.live` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'realtime.live': true
  }
}

/** Feature `realtime.live`. */
export const feature: Feature<'realtime.live'> = {
  at: import.meta.url,
  summary: 'Entity-change streams by topic, and publishing to them',
  stability: 'stable',
  since: '0.1.0',
  requires: ['realtime.streams'],
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
