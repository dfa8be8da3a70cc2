/** The row of `telemetry.logs` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'telemetry.logs': 'pino' | 'lite' | 'console'
  }
}

/** Feature `telemetry.logs`. */
export const feature: Feature<'telemetry.logs'> = {
  at: import.meta.url,
  summary: 'Structured log in three formats, filtered by RUST_LOG, with a line for every request',
  stability: 'stable',
  since: '0.1.0',
  platform: { pino: 'node', lite: 'node', console: 'web' },
  plugin: {
    pino: () => import('./plugin-pino.ts'),
    lite: () => import('./plugin-lite.ts'),
    console: () => import('./plugin-console.ts'),
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
  uses: { pino: ['require', 'worker', 'place'], lite: [], console: [] },
  contract,
}
