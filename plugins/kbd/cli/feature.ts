/** The command svc board. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.cli': true
  }
}

/** Feature `kbd.cli`. */
export const feature: FeatureValue<'kbd.cli'> = defineFeature({
  id: 'kbd.cli',
  about: described({
    at: import.meta.url,
    summary: 'The command svc board',
    stability: 'experimental',
    since: '0.2.0',
    requires: ['kbd.api', 'sync.api'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    libraries: ['protocol'],
    packages: ['@noble/hashes'],
    contract,
  }),
})
