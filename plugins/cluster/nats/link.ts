/**
 * The connection of a node to NATS. While NATS is away: appends to runs are refused (append-health.ts, `RunStore`),
 * events of a tenant reach only the readers of this node and publishing over HTTP is 503 (live-bus.ts), streams stay
 * open, and readiness says which engine is away. docs/cluster.md, "When something is away", has the whole.
 */
import { connect, type NatsConnection, RequestError, TimeoutError } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { NatsAccess } from './access.ts'
import { MIN_PAYLOAD } from './settings.ts'

/** What `Link` works with. */
export interface LinkOptions {
  readonly access: NatsAccess
  readonly clock: Clock
  /** Prepares what the node needs on NATS. Until it resolves, NATS counts as away. */
  readonly prepare: (nats: NatsConnection) => Promise<void>
  /** Called on the first connection and on each one after an outage. Subscriptions have been restored then. */
  readonly onHere: () => void
  /** Called when NATS cannot be used, with the reason, and when the reason changes. */
  readonly onAway: (problem: string, error: unknown) => void
}

/** The reason while there is no connection, whose errors differ from one attempt to the next. */
const AWAY = 'NATS is away'

/** Pause between two attempts to connect, and between two pings, in milliseconds. */
const RETRY_MS = 250
const PING_MS = 2_000

/**
 * The connection of a node to NATS. The node tries to connect for as long as it runs. A server that does not answer
 * three pings, as behind a cut network, counts as away.
 */
export class Link {
  readonly #options: LinkOptions
  #connection: NatsConnection | undefined
  #stopped = false
  #awaySince: number | null
  #wasConnected = false
  #problem = AWAY
  /** The reason that was reported last; `null` after a connection. */
  #reported: string | null | undefined
  /** Counts changes of the connection. Work that began before the newest change is given up. */
  #generation = 0

  constructor(options: LinkOptions) {
    this.#options = options
    this.#awaySince = options.clock.monotonic()
  }

  /** The connection; undefined while NATS is away. */
  get connection(): NatsConnection | undefined {
    return this.#awaySince === null ? this.#connection : undefined
  }

  /** Why NATS cannot be used: it is away, or it answers and something is wrong with it; undefined while it can. */
  get problem(): string | undefined {
    return this.#awaySince === null ? undefined : this.#problem
  }

  /** The connection. @throws Error with the reason why NATS cannot be used */
  use(): NatsConnection {
    const { connection } = this
    if (connection === undefined) throw new Error(this.#problem)
    return connection
  }

  /** For how long NATS has been away, in milliseconds; infinite before the first connection. */
  get awayMs(): number {
    if (this.#awaySince === null) return 0
    return this.#wasConnected ? this.#options.clock.monotonic() - this.#awaySince : Infinity
  }

  /** Begins to connect; resolves on the first connection, or after `limitMs` milliseconds. */
  start(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.setTimeout(resolve, limitMs)
      void this.#connectForever(resolve)
    })
  }

  /** Closes the connection after everything published has been sent. */
  async stop(): Promise<void> {
    this.#stopped = true
    const connection = this.#connection
    if (this.connection !== undefined) await Promise.race([connection?.drain(), this.#pause(1_000)])
    await connection?.close()
  }

  async #connectForever(first: () => void): Promise<void> {
    while (!this.#stopped) {
      try {
        const connection = await connect({
          ...this.#options.access,
          name: 'svc',
          maxReconnectAttempts: -1,
          reconnectTimeWait: RETRY_MS,
          reconnectJitter: RETRY_MS,
          pingInterval: PING_MS,
          maxPingOut: 2,
          timeout: PING_MS,
        })
        if (this.#stopped) return await connection.close()
        this.#connection = connection
        const watching = this.#watch(connection)
        void this.#prepare(connection).then(first)
        const error = await connection.closed()
        this.#away(error ?? new Error('the connection was closed'))
        await watching
      } catch (error) {
        this.#away(error)
      }
      if (!this.#stopped) await this.#pause(RETRY_MS)
    }
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        this.#generation++
        this.#away(new Error('the connection to NATS was lost'))
      } else if (status.type === 'reconnect') void this.#prepare(connection)
    }
  }

  async #prepare(connection: NatsConnection): Promise<void> {
    const generation = ++this.#generation
    const isOver = (): boolean => this.#stopped || this.#generation !== generation || connection.isClosed()
    while (!isOver()) {
      try {
        const size = connection.info?.max_payload ?? 0
        if (size < MIN_PAYLOAD)
          throw new Error(`the server has max_payload ${size}, and nodes need at least ${MIN_PAYLOAD}`)
        await this.#options.prepare(connection)
        if (isOver()) return
        this.#awaySince = null
        this.#wasConnected = true
        this.#reported = null
        this.#options.onHere()
        return
      } catch (error) {
        if (isOver()) return
        this.#away(error, `NATS is connected, but cannot be used: ${reasonOf(error)}`)
      }
      await this.#pause(RETRY_MS)
    }
  }

  #away(error: unknown, problem: string = AWAY): void {
    if (this.#stopped) return
    this.#awaySince ??= this.#options.clock.monotonic()
    this.#problem = problem
    if (this.#reported === problem) return
    this.#reported = problem
    this.#options.onAway(problem, error)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, ms))
  }
}

/** What is wrong with a NATS that is connected. */
function reasonOf(error: unknown): string {
  if (error instanceof RequestError && error.isNoResponders())
    return 'nobody answers for JetStream, which may be switched off'
  if (error instanceof TimeoutError)
    return 'it did not answer a request for a stream in time, or its user lacks a right'
  return error instanceof Error ? error.message : String(error)
}
