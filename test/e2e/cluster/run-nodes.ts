/** The runs of nodes in this process, on a real NATS: as `server-cluster` composes them, without HTTP and keys. */
import { systemClock, systemRandom } from '../../../core/environment.ts'
import { LogHub } from '../../../core/log.ts'
import { Link } from '../../../plugins/cluster/nats/link.ts'
import { NatsRunStore } from '../../../plugins/cluster/nats/run-store.ts'
import { ownNames } from '../../../plugins/realtime/own-names.ts'
import { type RunNumbers, runSettings } from '../../../plugins/realtime/runs/settings.ts'
import { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'

/** The numbers of runs, at their defaults. */
export const defaults = ownNames(
  Object.fromEntries(Object.entries(runSettings).map(([key, setting]) => [key, setting.default])),
) as unknown as RunNumbers

/** The runs of one node. */
export interface RunNode {
  readonly runs: SharedRuns
  readonly store: NatsRunStore
  /** Whether NATS is connected. */
  readonly isConnected: boolean
  stop(): Promise<void>
}

/** How a node differs from others. */
export interface RunNodeOptions {
  /** The kind of its store. */
  readonly Store?: typeof NatsRunStore
  readonly replicas?: number
  readonly numbers?: Partial<RunNumbers>
}

/** Starts a node on the NATS at ports of loopback. */
export async function startRunNode(
  ports: readonly number[],
  { Store = NatsRunStore, replicas = 1, numbers = {} }: RunNodeOptions = {},
): Promise<RunNode> {
  const { bytes: randomBytes } = systemRandom
  const link: Link = new Link({
    address: { servers: ports.map((port) => `127.0.0.1:${port}`) },
    clock: systemClock,
    prepare: (nats) => store.prepare(nats),
    onHere: () => store.renew(),
    onAway: () => undefined,
  })
  const store: NatsRunStore = new Store({
    ...{ link, clock: systemClock, randomBytes, replicas },
    onAppend: () => undefined,
    onHealth: () => undefined,
    onError: () => undefined,
  })
  const runs = new SharedRuns(store, new LogHub(systemClock.now).logger('test'), {
    ...{ ...defaults, ...numbers, clock: systemClock, randomBytes },
    soon: (run) => void setImmediate(run),
  })
  await link.start(60_000)
  return {
    ...{ runs, store },
    get isConnected() {
      return link.connection !== undefined
    },
    stop: async () => {
      runs.close()
      store.stop()
      await link.stop()
    },
  }
}
