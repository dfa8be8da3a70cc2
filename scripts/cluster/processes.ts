/** The processes of a cluster. Each is restarted when it has ended. */
import type { ChildExit } from '../child.ts'
import { until } from '../until.ts'
import type { LocalCluster } from './cluster.ts'
import { isOpen } from './engines.ts'
import type { LockedEngines } from './locked-engines.ts'
import type { NatsServer } from './nats-server.ts'

/** A process of a cluster. */
export interface ClusterProcess {
  readonly name: string
  readonly kind: 'node' | 'NATS' | 'PostgreSQL'
  readonly pid: number
  /** Resolves when the current process ends. */
  readonly exited: Promise<ChildExit>
  /** Restarts the process after it has ended. Resolves when it works. */
  start(): Promise<void>
}

/** Restarts ended parts. */
export interface Keeper {
  /** Whether a part runs and its last start succeeded. */
  isUp(part: ClusterProcess): boolean
  /** Stops restarting parts. */
  stop(): void
}

/** Options of {@link keepUp}. */
export interface KeeperOptions {
  /** Milliseconds before an ended part is restarted. */
  readonly pauseMs: number
  /** Called with one line for each end and each start. */
  readonly say: (line: string) => void
}

/** Longest time in milliseconds until a NATS server listens. */
const LISTENS_MS = 30_000

/** The processes of a cluster. */
export function partsOf({
  nodes,
  engines: { nats, postgres },
}: LocalCluster<LockedEngines>): readonly ClusterProcess[] {
  return [
    ...nodes.map((node, index) => named(`node ${index + 1}`, 'node', node, () => node.start())),
    ...nats.map((server) => named(`NATS ${server.name}`, 'NATS', server, () => startServer(server))),
    named('PostgreSQL', 'PostgreSQL', postgres, () => postgres.start()),
  ]
}

/** Restarts parts whenever they end. */
export function keepUp(parts: readonly ClusterProcess[], { pauseMs, say }: KeeperOptions): Keeper {
  const away = new Set<ClusterProcess>()
  let isOver = false
  const keep = async (part: ClusterProcess): Promise<void> => {
    for (;;) {
      const { code, signal } = await part.exited
      if (isOver) return
      away.add(part)
      say(`${part.name} ended (${signal ?? code}), and is started again.`)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (isOver) return
      try {
        await part.start()
        away.delete(part)
        say(`${part.name} is ready again: process ${part.pid}`)
      } catch (error) {
        if (!isOver) say((error as Error).message)
      }
    }
  }
  for (const part of parts) void keep(part)
  return {
    isUp: (part) => !away.has(part),
    stop: () => {
      isOver = true
    },
  }
}

function named(
  name: string,
  kind: ClusterProcess['kind'],
  process: Pick<ClusterProcess, 'pid' | 'exited'>,
  start: ClusterProcess['start'],
): ClusterProcess {
  return {
    ...{ name, kind, start },
    get pid() {
      return process.pid
    },
    get exited() {
      return process.exited
    },
  }
}

async function startServer(server: NatsServer): Promise<void> {
  server.start()
  await until(`NATS ${server.name} listens`, () => isOpen(server.port), LISTENS_MS)
}
