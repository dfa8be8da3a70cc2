/** The row of `probes` in the feature matrix. */
import type { Feature } from '../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `probes`. */
export const feature: Feature = {
  summary: 'Liveness and readiness probes',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: 'plugins/probes/plugin.ts',
  contract,
}
