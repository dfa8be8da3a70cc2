/** Only the runtime surface, as a fetch handler of a long-running process. */
import type { MatrixSet, Profile } from '../core/declare/matrix.ts'

/** Profile `minimal`. */
export const profile: Profile<MatrixSet> = {
  name: 'minimal',
  summary: 'Authentication, probes and realtime as a fetch handler; a small server of it',
  library: {
    platform: 'web',
    features: {
      'auth.api-keys': 'in-place',
      'auth.exchange': true,
      'auth.guard': 'web',
      'auth.jwks': true,
      'auth.jwt': true,
      'auth.revocations': true,
      probes: true,
      'realtime.agents': true,
      'realtime.bridge': true,
      'realtime.live': true,
      'realtime.runs': true,
      'realtime.streams': true,
      'telemetry.logs': 'console',
      'transport.fetch': true,
    },
    // docs/decisions/sizes.md explains these sizes.
    gzipBytes: 51_049,
    gzipLimit: 50 * 1024,
    gzipTotal: 92_152,
    gzipTotalLimit: 94 * 1024,
    single: { gzipBytes: 89_524 },
  },
  main: {
    platform: 'node',
    features: {
      'auth.api-keys': 'threads',
      'auth.guard': 'node',
      cli: true,
      'telemetry.logs': 'lite',
      'transport.node-http': true,
    },
    gzipBytes: 124_756,
  },
  builtins: [
    'node:crypto',
    'node:fs',
    'node:http',
    'node:module',
    'node:os',
    'node:sea',
    'node:tty',
    'node:util',
    'node:worker_threads',
  ],
}
