/** The row of `realtime.runs` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `realtime.runs`. */
export const feature: Feature = {
  summary: 'Runs of agents: AG-UI events, retained and streamed from any point',
  stability: 'stable',
  since: '0.1.0',
  requires: ['realtime.streams'],
  platform: 'web',
  plugin: 'plugins/realtime/runs/plugin.ts',
  contract,
}
