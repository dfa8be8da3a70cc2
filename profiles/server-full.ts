/** Everything: a server for production. */
import { defineProfile, type Profile } from '../core/feature.ts'

/** Profile `server-full`. */
export const profile: Profile = defineProfile({
  name: 'server-full',
  summary: 'A server with everything: telemetry, realtime and the local sync API',
  library: {
    platform: 'node',
    features: {
      'auth.api-keys': 'threads',
      'auth.exchange': true,
      'auth.guard': 'node',
      'auth.jwks': true,
      'auth.jwt': true,
      probes: true,
      'telemetry.logs': 'pino',
      'telemetry.metrics': true,
      'telemetry.traces': true,
      'transport.fetch': true,
    },
  },
  main: {
    platform: 'node',
    features: {
      cli: true,
      'sync.api': true,
      'sync.engine': true,
      'sync.store-sqlite': true,
      'transport.node-http': true,
      'transport.unix': true,
    },
  },
  builtins: [
    'node:assert',
    'node:buffer',
    'node:cluster',
    'node:crypto',
    'node:diagnostics_channel',
    'node:events',
    'node:fs',
    'node:http',
    'node:https',
    'node:module',
    'node:os',
    'node:path',
    'node:perf_hooks',
    'node:process',
    'node:sqlite',
    'node:stream',
    'node:timers/promises',
    'node:tty',
    'node:url',
    'node:util',
    'node:v8',
    'node:worker_threads',
    'node:zlib',
  ],
})
