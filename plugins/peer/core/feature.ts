/** The row of `peer.core` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'peer.core': true
  }
}

/** Feature `peer.core`. */
export const feature: Feature<'peer.core'> = {
  at: import.meta.url,
  summary:
    'Pushes go to other nodes and come from them, each ending with a signed acknowledgement of the node that applied it',
  stability: 'experimental',
  since: '0.3.0',
  requires: ['peer.registry', 'kbd.api'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
