/** The row of `realtime.runs` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'realtime.runs': true
  }
}

/** Feature `realtime.runs`. */
export const feature: Feature<'realtime.runs'> = {
  at: import.meta.url,
  summary: 'Runs of agents: AG-UI events, retained and streamed from any point',
  stability: 'stable',
  since: '0.1.0',
  requires: ['realtime.streams'],
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
