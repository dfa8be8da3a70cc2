/** The row of `telemetry.traces` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'telemetry.traces': true
  }
}

/** Feature `telemetry.traces`. */
export const feature: Feature<'telemetry.traces'> = {
  at: import.meta.url,
  summary: 'W3C trace context, and spans exported by OTLP where a collector is configured',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  packages: [
    '@opentelemetry/api',
    '@opentelemetry/api-logs',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/otlp-exporter-base',
    '@opentelemetry/otlp-transformer',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
    '@opentelemetry/sdk-trace-base',
    '@opentelemetry/semantic-conventions',
  ],
  contract,
}
