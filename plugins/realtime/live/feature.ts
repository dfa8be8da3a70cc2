/** The row of `realtime.live` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `realtime.live`. */
export const feature: Feature = {
  summary: 'Entity-change streams by topic, and publishing to them',
  stability: 'stable',
  since: '0.1.0',
  requires: ['realtime.streams'],
  platform: 'web',
  plugin: 'plugins/realtime/live/plugin.ts',
  contract,
}
