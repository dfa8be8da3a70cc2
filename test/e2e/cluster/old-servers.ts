/** What the tests allow some versions of nats-server (docs/cluster.md). */
import { FIRST_SAFE, isOld } from '../../../plugins/cluster/nats/server-version.ts'
import { clusteredNats, natsVersion } from '../../../scripts/cluster/engines.ts'

const installed = natsVersion(clusteredNats)

/** The faults of `faults.test.ts` after which a server older than `FIRST_SAFE` may have lost acknowledged events. */
export const unsafeOnOld: readonly string[] = ['the leader is cut off', 'the servers are restarted one after the other']

/** The reason to skip these faults; undefined if the installed nats-server is new enough, or its version is unknown. */
export const skipReason: string | undefined = isOld(installed)
  ? `nats-server ${installed} is older than ${FIRST_SAFE} and may lose acknowledged events after this fault`
  : undefined

/** Whether a server of the installed version that has restarted may stay behind until it is restarted again. */
export const mayStayBehind: boolean = /^v?2\.10\./.test(installed ?? '')

/** The milliseconds after which a server that stays behind is restarted. */
export const BEHIND_MS = 30_000

/** How often a server that stays behind is restarted. */
export const RESTARTS = 4
