/** Everything: a server for production. */
import { defineProfile, type Profile } from '../core/feature.ts'

/** Profile `server-full`. */
export const profile: Profile = defineProfile({
  name: 'server-full',
  summary: 'A server with everything: telemetry, realtime and the local sync API',
  library: {
    platform: 'node',
    features: {
      probes: true,
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
  builtins: ['node:fs', 'node:http', 'node:module', 'node:util'],
})
