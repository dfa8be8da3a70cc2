/** The page in the browser that shows the running service, and the server behind it: the command svc console. */
import { described } from '../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../core/declare/matrix.ts' {
  interface Features {
    console: true
  }
}

/** Feature `console`. */
export const feature: FeatureValue<'console'> = defineFeature({
  id: 'console',
  about: described({
    at: import.meta.url,
    summary: 'A page in the browser that shows the running service: the command svc console',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['cli', 'transport.client'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    libraries: ['client', 'protocol'],
    packages: [
      '@noble/ed25519',
      '@noble/hashes',
      '@preact/signals',
      '@preact/signals-core',
      'canonicalize',
      'diff',
      'marked',
      'preact',
    ],
    // Preact calls the function of a component as `this.constructor`, which the Content-Security-Policy of the page
    // allows.
    uses: ['spawn'],
    contract,
  }),
})
