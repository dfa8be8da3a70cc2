/**
 * A profile for absent sides that run on no profile of ours: the library has no guard, no tokens and no probes, and the
 * program has no runs and no audit chain.
 */
import type { MatrixSet, Profile } from '../../../core/declare/matrix.ts'
import { profile as serverFull } from '../../../profiles/server-full.ts'

/** The features whose absent side has a case that runs on no other profile. */
export const ABSENT: readonly string[] = [
  ...['admin.running', 'auth.api-keys', 'auth.exchange', 'auth.guard', 'auth.jwks', 'auth.jwt', 'auth.revocations'],
  ...['auth.users-admin', 'kbd.audit', 'peer.core', 'probes', 'realtime.agents', 'realtime.bridge', 'realtime.live'],
  ...['realtime.runs', 'realtime.streams', 'telemetry.logs'],
]

/** Profile `sparse`. */
export const profile: Profile<MatrixSet> = {
  name: 'sparse',
  summary: 'A fetch handler that nobody can call; pushes of this machine on a Unix socket, with tokens',
  library: { platform: 'web', features: { 'transport.fetch': true } },
  main: {
    platform: 'node',
    features: {
      'auth.guard': 'node',
      'auth.jwt': true,
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
