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
      'realtime.bridge': true,
      'realtime.live': true,
      'realtime.runs': true,
      'realtime.streams': true,
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
      'transport.node-http': true,
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
    'node:stream',
    'node:tty',
    'node:url',
    'node:util',
    'node:v8',
    'node:worker_threads',
    'node:zlib',
  ],
})
