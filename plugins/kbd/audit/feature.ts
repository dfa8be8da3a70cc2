/** The row of `kbd.audit` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.audit': true
  }
}

/**
 * Feature `kbd.audit`. The store keeps the chain in every build. This feature lists it, verifies it and signs its head.
 */
export const feature: Feature<'kbd.audit'> = {
  at: import.meta.url,
  summary: 'The audit chain: listed, verified, its head signed by the node; the command svc audit',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.api', 'sync.api'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
