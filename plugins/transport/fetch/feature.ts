/** The row of `transport.fetch` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `transport.fetch`. */
export const feature: Feature = {
  summary: 'The runtime surface as a fetch handler, in process',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: 'plugins/transport/fetch/plugin.ts',
  exports: { createRuntime: 'plugins/transport/fetch/create-runtime.ts' },
  contract,
}
