/** A server that runs as several nodes behind a load balancer. */
import type { MatrixSet, Profile } from '../core/declare/matrix.ts'

/** Profile `server-cluster`. */
export const profile: Profile<MatrixSet> = {
  name: 'server-cluster',
  summary:
    'server-full as one of several nodes behind any balancer: keys on PostgreSQL, runs and entity streams on NATS',
  extends: 'server-full',
  library: {
    features: { 'cluster.nats': true, 'cluster.postgres': true },
    gzipBytes: 259_388,
  },
  main: {
    features: { 'auth.keys-sqlite': false, 'kbd.remote': false, 'realtime.runs-sqlite': false, 'sync.remote': false },
    gzipBytes: 629_483,
  },
  // The engines need not answer for a start.
  startSettings: {
    'cluster.nats_url': 'nats://127.0.0.1:9',
    'cluster.postgres_url': 'postgres://svc@127.0.0.1:9/svc',
    'security.exchange_secret': 'a secret for the start at the end of a build',
  },
  builtins: ['node:dns', 'node:net', 'node:tls'],
}
