/** The row of `realtime.streams` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `realtime.streams`. */
export const feature: Feature = {
  summary: 'What all event streams share: limits, heartbeats, ages, the end with a credential',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: 'plugins/realtime/streams/plugin.ts',
  contract,
}
