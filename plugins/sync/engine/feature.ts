/** The engine of signed pushes. `engine.ts` takes them, and executes each one once. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'sync.engine': true
  }
}

/** Feature `sync.engine`. */
export const feature: FeatureValue<'sync.engine'> = defineFeature({
  id: 'sync.engine',
  about: described({
    at: import.meta.url,
    summary: 'Signed pushes: strict admission, one signature rule, receipts and their states',
    stability: 'stable',
    since: '0.1.0',
    platform: 'bare',
    code: () => import('./engine.ts'),
    libraries: ['protocol'],
    packages: ['@noble/ed25519', 'canonicalize'],
    contract,
  }),
})
