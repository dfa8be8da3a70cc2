/** The row of `peer.tls` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'peer.tls': true
  }
}

/** Feature `peer.tls`. */
export const feature: Feature<'peer.tls'> = {
  at: import.meta.url,
  summary: 'Peers over TLS 1.3, known by the exact key of each side',
  stability: 'experimental',
  since: '0.3.0',
  requires: ['peer.core', 'transport.node-http'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  contract,
}
