/** What the tests allow and do for some versions of nats-server (docs/cluster.md). */
import type { Awaitable } from '../../../core/kernel/values.ts'
import { FIRST_SAFE, isOld } from '../../../plugins/cluster/nats/server-version.ts'
import { clusteredNats, natsVersion } from '../../../scripts/cluster/engines.ts'
import type { NatsServer } from '../../../scripts/cluster/nats-server.ts'
import { again } from '../../support/skip.ts'

const installed = natsVersion(clusteredNats)

/** The faults of `faults.test.ts` after which a server older than `FIRST_SAFE` may have lost acknowledged events. */
export const unsafeOnOld: readonly string[] = ['the leader is cut off', 'the servers are restarted one after the other']

/** The reason to skip these faults; undefined if the installed nats-server is new enough, or its version is unknown. */
export const skipReason: string | undefined = isOld(installed)
  ? `nats-server ${installed} is older than ${FIRST_SAFE} and may lose acknowledged events after this fault`
  : undefined

/** Whether a server of the installed version that has restarted may stay behind until it is restarted again. */
const mayStayBehind: boolean = /^v?2\.10\./.test(installed ?? '')

/** The milliseconds after which a server that stays behind is restarted. */
const BEHIND_MS = 30_000

/** How often a server that stays behind is restarted. */
const RESTARTS = 4

/**
 * Waits for servers that were started again, for at most `limitMs`. With a version of which a server may stay behind,
 * the wait is shorter: then the server that `behind` gives is restarted, as docs/cluster.md says, and the wait begins
 * anew, at most `RESTARTS` times.
 */
export async function waitForServers(
  limitMs: number,
  wait: (limitMs: number) => Promise<unknown>,
  behind: () => Awaitable<NatsServer | undefined>,
): Promise<void> {
  for (let restarts = 0; ; restarts++)
    try {
      return void (await wait(mayStayBehind ? BEHIND_MS : limitMs))
    } catch (error) {
      if (!mayStayBehind || restarts === RESTARTS) throw error
      const server = await behind()
      if (server === undefined) continue
      again(
        `server ${server.name} is restarted, because one of this version may stay behind (docs/cluster.md): ${error}`,
      )
      await server.kill('SIGTERM')
      server.start()
    }
}
