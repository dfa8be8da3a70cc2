/** The runs of nodes in this process, on a real NATS, composed as in `server-cluster` but without HTTP and keys. */
import type { NatsConnection } from '@nats-io/transport-node'
import { systemClock, systemRandom } from '../../../core/kernel/environment.ts'
import { LogHub } from '../../../core/kernel/log.ts'
import type { NatsAccess } from '../../../plugins/cluster/nats/access.ts'
import { Link } from '../../../plugins/cluster/nats/link.ts'
import { NatsLiveBus } from '../../../plugins/cluster/nats/live-bus.ts'
import { NatsRunStore } from '../../../plugins/cluster/nats/run-store.ts'
import type { RunNumbers } from '../../../plugins/realtime/runs/settings.ts'
import { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'
import { runDefaults } from '../../support/run-defaults.ts'

/** The runs of one node. */
export interface RunNode {
  readonly runs: SharedRuns
  readonly store: NatsRunStore
  readonly bus: NatsLiveBus
  /** The connection to NATS; undefined while there is none. */
  readonly connection: NatsConnection | undefined
  readonly isConnected: boolean
  /** The subjects of skipped messages. */
  readonly skipped: readonly string[]
  /** The last reported error of the connection. */
  readonly lastError: unknown
  stop(): Promise<void>
}

/** The options of a node. */
export interface RunNodeOptions {
  /** The class of its store. */
  readonly Store?: typeof NatsRunStore
  readonly replicas?: number
  readonly numbers?: Partial<RunNumbers>
  /** The login of the node to NATS. */
  readonly access?: NatsAccess
  /** Whether the node connects only to the servers at the given ports, and not to other servers that they announce. */
  readonly isPinned?: boolean
  /** How long the start of the node waits for NATS, in milliseconds. */
  readonly startMs?: number
}

/** Starts a node with the NATS servers at ports of loopback. */
export async function startRunNode(
  ports: readonly number[],
  {
    Store = NatsRunStore,
    replicas = 1,
    numbers = {},
    access = {},
    isPinned = false,
    startMs = 60_000,
  }: RunNodeOptions = {},
): Promise<RunNode> {
  const { bytes: randomBytes } = systemRandom
  const skipped: string[] = []
  const onSkipped = (subject: string): void => void skipped.push(subject)
  let lastError: unknown
  const link: Link = new Link({
    access: {
      servers: ports.map((port) => `127.0.0.1:${port}`),
      ...(isPinned && { ignoreClusterUpdates: true }),
      ...access,
    },
    clock: systemClock,
    prepare: (nats) => store.prepare(nats),
    onHere: () => {
      bus.renew()
      store.renew()
    },
    onAway: (_, error) => {
      lastError = error
    },
  })
  const bus = new NatsLiveBus({
    ...{ link, clock: systemClock, randomBytes, onSkipped, onError: () => undefined },
    soon: (run) => void setImmediate(run),
  })
  const store: NatsRunStore = new Store({
    ...{ link, clock: systemClock, randomBytes, replicas },
    onAppend: () => undefined,
    onState: () => undefined,
    onStreamSet: () => undefined,
    onSkipped,
    onHealth: () => undefined,
    onError: () => undefined,
  })
  const runs = new SharedRuns(store, new LogHub(systemClock.now).logger('test'), {
    ...{ ...runDefaults, ...numbers, clock: systemClock, randomBytes },
    soon: (run) => void setImmediate(run),
  })
  await link.start(startMs)
  return {
    ...{ runs, store, bus, skipped },
    get connection() {
      return link.connection
    },
    get lastError() {
      return lastError
    },
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
