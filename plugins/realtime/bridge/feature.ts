/** The row of `realtime.bridge` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `realtime.bridge`. */
export const feature: Feature = {
  summary: 'A snapshot and every change after it, for an embedded store',
  stability: 'stable',
  since: '0.1.0',
  requires: ['realtime.live'],
  platform: 'web',
  plugin: 'plugins/realtime/bridge/plugin.ts',
  contract,
}
