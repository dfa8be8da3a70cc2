/** The row of `transport.node-http` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.node-http': true
  }
}

/** Feature `transport.node-http`. */
export const feature: Feature<'transport.node-http'> = {
  at: import.meta.url,
  summary: 'The runtime surface over HTTP/1.1, by node:http',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  contract,
}
