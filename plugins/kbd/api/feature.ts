/** The row of `kbd.api` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.api': true
  }
}

/** Feature `kbd.api`. */
export const feature: Feature<'kbd.api'> = {
  at: import.meta.url,
  summary: 'Boards on the local surface',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.engine', 'sync.api'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  storePart: () => import('./store-part.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
