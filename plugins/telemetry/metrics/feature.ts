/** The row of `telemetry.metrics` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `telemetry.metrics`. */
export const feature: Feature = {
  summary: 'Metrics in the Prometheus text format, and the capability that records them',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  plugin: 'plugins/telemetry/metrics/plugin.ts',
  packages: ['prom-client', 'tdigest', 'bintrees', '@opentelemetry/api'],
  contract,
}
