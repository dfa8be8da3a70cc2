/** The row of `telemetry.metrics` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'telemetry.metrics': true
  }
}

/** Feature `telemetry.metrics`. */
export const feature: Feature<'telemetry.metrics'> = {
  at: import.meta.url,
  summary: 'Metrics in the Prometheus text format, and the capability that records them',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  packages: ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'],
  uses: ['spawn'],
  open: ['/metrics'],
  operations: () => import('./operations.ts'),
  contract,
}
