/** The row of `kbd.search` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.search': true
  }
}

/** Feature `kbd.search`. */
export const feature: Feature<'kbd.search'> = {
  at: import.meta.url,
  summary: 'Search over the words of boards',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.api'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
