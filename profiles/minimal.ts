/** The runtime surface and nothing else, for wherever fetch handlers run. */
import { defineProfile, type Profile } from '../core/feature.ts'

/** Profile `minimal`. */
export const profile: Profile = defineProfile({
  name: 'minimal',
  summary: 'Authentication, probes and realtime as a fetch handler; a small server of it',
  library: {
    platform: 'web',
    features: {
      probes: true,
      'telemetry.logs': 'console',
      'transport.fetch': true,
    },
    gzipLimit: 40 * 1024,
  },
  main: {
    platform: 'node',
    features: {
      cli: true,
      'telemetry.logs': 'lite',
      'transport.node-http': true,
    },
  },
  builtins: ['node:fs', 'node:http', 'node:module', 'node:tty', 'node:util'],
})
