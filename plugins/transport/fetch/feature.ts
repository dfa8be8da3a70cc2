/** The row of `transport.fetch` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.fetch': true
  }
}

/** Feature `transport.fetch`. */
export const feature: Feature<'transport.fetch'> = {
  at: import.meta.url,
  summary: 'The runtime surface as a fetch handler, in process',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  exports: { createRuntime: () => import('./create-runtime.ts') },
  contract,
}
