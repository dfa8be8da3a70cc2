/** The row of `telemetry.logs` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `telemetry.logs`. */
export const feature: Feature = {
  summary: 'Structured log in three formats, filtered by RUST_LOG, with a line for every request',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: {
    pino: 'plugins/telemetry/logs/plugin-pino.ts',
    lite: 'plugins/telemetry/logs/plugin-lite.ts',
    console: 'plugins/telemetry/logs/plugin-console.ts',
  },
  packages: {
    pino: [
      'pino',
      '@pinojs/redact',
      'atomic-sleep',
      'on-exit-leak-free',
      'pino-std-serializers',
      'quick-format-unescaped',
      'safe-stable-stringify',
      'sonic-boom',
      'thread-stream',
    ],
    lite: [],
    console: [],
  },
  contract,
}
