/** The row of `transport.client` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.client': true
  }
}

/** Feature `transport.client`. */
export const feature: Feature<'transport.client'> = {
  at: import.meta.url,
  summary: 'Commands call the runtime surface of a service: its address, its certificate, the credential',
  stability: 'experimental',
  since: '0.5.0',
  requires: ['cli', 'transport.node-http'],
  platform: 'node',
  commands: () => import('./commands.ts'),
  contract,
}
