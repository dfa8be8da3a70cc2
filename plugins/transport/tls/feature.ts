/** The row of `transport.tls` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.tls': true
  }
}

/** Feature `transport.tls`. */
export const feature: Feature<'transport.tls'> = {
  at: import.meta.url,
  summary: 'The runtime surface over TLS 1.2 and 1.3, with a certificate that is renewed while it runs',
  stability: 'experimental',
  since: '0.3.0',
  requires: ['transport.node-http'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands.ts'),
  contract,
}
