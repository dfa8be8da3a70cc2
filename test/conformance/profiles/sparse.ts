/** Without realtime in its library, and without the routes of the owner in its program: no profile of ours is so. */
import type { MatrixSet, Profile } from '../../../core/declare/matrix.ts'
import { profile as serverFull } from '../../../profiles/server-full.ts'

/** Profile `sparse`. */
export const profile: Profile<MatrixSet> = {
  name: 'sparse',
  summary: 'Tokens as a fetch handler; pushes of this machine on a Unix socket',
  library: {
    platform: 'web',
    features: {
      'auth.guard': 'web',
      'auth.jwt': true,
      probes: true,
      'telemetry.logs': 'console',
      'transport.fetch': true,
    },
  },
  main: {
    platform: 'node',
    features: {
      cli: true,
      probes: true,
      'realtime.streams': true,
      'sync.api': true,
      'sync.engine': true,
      'sync.store-sqlite': true,
      'telemetry.logs': 'lite',
      'transport.node-http': true,
      'transport.unix': true,
    },
  },
  ...(serverFull.builtins && { builtins: serverFull.builtins }),
}
