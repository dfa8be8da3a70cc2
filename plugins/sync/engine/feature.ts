/** The row of `sync.engine` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.engine': true
  }
}

/** Feature `sync.engine`. */
export const feature: Feature<'sync.engine'> = {
  at: import.meta.url,
  summary: 'Signed pushes: strict admission, one signature rule, receipts and their states',
  stability: 'stable',
  since: '0.1.0',
  platform: 'bare',
  code: () => import('./engine.ts'),
  libraries: ['protocol'],
  packages: ['@noble/ed25519', 'canonicalize'],
  contract,
}
