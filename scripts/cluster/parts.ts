/** The processes of a cluster, each of which is started again when it has ended. */
import type { ChildExit } from '../child.ts'
import { until } from '../until.ts'
import type { LocalCluster } from './cluster.ts'
import { isOpen } from './engines.ts'
import type { LockedEngines } from './locked-engines.ts'
import type { NatsServer } from './nats-server.ts'

/** A process of a cluster. */
export interface Part {
  readonly name: string
  readonly kind: 'node' | 'NATS' | 'PostgreSQL'
  readonly pid: number
  /** How the process that runs now ends. */
  readonly exited: Promise<ChildExit>
  /** Starts it again once it has ended; resolves when it works. */
  start(): Promise<void>
}

/** Parts that are kept running. */
export interface Keeper {
  /** Whether a part runs, and works as far as its start found out. */
  isUp(part: Part): boolean
  /** From now on nothing is started again. */
  stop(): void
}

/** How parts are kept running. */
export interface KeeperOptions {
  /** How long a part that ended is left alone, in milliseconds. */
  readonly pauseMs: number
  /** Takes a line for each end and each start. */
  readonly say: (line: string) => void
}

/** Longest time in milliseconds until a server of NATS listens. */
const LISTENS_MS = 30_000

/** The processes of a cluster. */
export function partsOf({ nodes, engines: { nats, postgres } }: LocalCluster<LockedEngines>): readonly Part[] {
  return [
    ...nodes.map((node, index) => named(`node ${index + 1}`, 'node', node, () => node.start())),
    ...nats.map((server) => named(`NATS ${server.name}`, 'NATS', server, () => startServer(server))),
    named('PostgreSQL', 'PostgreSQL', postgres, () => postgres.start()),
  ]
}

/** Starts parts again whenever they end. */
export function keepUp(parts: readonly Part[], { pauseMs, say }: KeeperOptions): Keeper {
  const away = new Set<Part>()
  let isOver = false
  const keep = async (part: Part): Promise<void> => {
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

function named(name: string, kind: Part['kind'], process: Pick<Part, 'pid' | 'exited'>, start: Part['start']): Part {
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
