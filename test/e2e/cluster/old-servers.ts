/** Faults that a nats-server before `FIRST_SAFE` does not survive: it may lose what it has acknowledged (docs/cluster.md). */
import { FIRST_SAFE, isOld } from '../../../plugins/cluster/nats/server-version.ts'
import { natsVersion } from '../../../scripts/cluster/engines.ts'

/** The names of these faults in `faults.test.ts`. */
export const lostByOld: readonly string[] = ['the leader is cut off', 'the servers are restarted one after the other']

/** Why these faults are not tried here; undefined if they are. */
export const tooOld: string | undefined = isOld(natsVersion())
  ? `nats-server ${natsVersion()} is older than ${FIRST_SAFE} and may lose what it has acknowledged`
  : undefined
