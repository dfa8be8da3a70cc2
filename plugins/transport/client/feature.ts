/** Calls of commands to the runtime surface of a service. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.client': true
  }
}

/** Feature `transport.client`. */
export const feature: FeatureValue<'transport.client'> = defineFeature({
  id: 'transport.client',
  about: described({
    at: import.meta.url,
    summary: 'Commands call the runtime surface of a service: its address, its certificate, the credential',
    stability: 'experimental',
    since: '0.5.0',
    requires: ['cli', 'transport.node-http'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    contract,
  }),
})
