/** A server that runs as several nodes behind a load balancer. */
import type { MatrixSet, Profile } from '../core/feature.ts'

/** Profile `server-cluster`. */
export const profile: Profile<MatrixSet> = {
  name: 'server-cluster',
  summary:
    'server-full as one of several nodes behind any balancer: keys on PostgreSQL, runs and entity streams on NATS',
  extends: 'server-full',
  library: {
    features: { 'cluster.nats': true, 'cluster.postgres': true },
    gzipBytes: 227_866,
  },
  main: { features: { 'auth.keys-sqlite': false, 'realtime.runs-sqlite': false }, gzipBytes: 519_145 },
  builtins: ['node:dns', 'node:net', 'node:tls'],
}
