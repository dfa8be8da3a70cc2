/** The faults after which a nats-server older than `FIRST_SAFE` may have lost acknowledged events (docs/cluster.md). */
import { FIRST_SAFE, isOld } from '../../../plugins/cluster/nats/server-version.ts'
import { clusteredNats, natsVersion } from '../../../scripts/cluster/engines.ts'

/** The names of these faults in `faults.test.ts`. */
export const unsafeOnOld: readonly string[] = ['the leader is cut off', 'the servers are restarted one after the other']

/** The reason to skip these faults; undefined if the installed nats-server is new enough, or its version is unknown. */
export const skipReason: string | undefined = isOld(natsVersion(clusteredNats))
  ? `nats-server ${natsVersion(clusteredNats)} is older than ${FIRST_SAFE} and may lose acknowledged events after this fault`
  : undefined
