import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import type { NatsAccess } from './access.ts'
import { MIN_PAYLOAD } from './settings.ts'

/** What the link works with. */
export interface LinkOptions {
  readonly access: NatsAccess
  readonly clock: Clock
  /** Makes ready what is needed; until it is, NATS counts as away. */
  readonly prepare: (nats: NatsConnection) => Promise<void>
  /** Told when NATS is there, for the first time and after it was away; then all that was subscribed is so again. */
  readonly onHere: () => void
  readonly onAway: (error: unknown) => void
}

/** Time between two attempts to connect, and between two questions whether the server is still there, in milliseconds. */
const RETRY_MS = 250
const PING_MS = 2_000

/**
 * The connection of a node to NATS: it is tried for as long as the node runs. A server that says nothing, as behind a cut
 * network, is away after three questions at most.
 */
export class Link {
  readonly #options: LinkOptions
  #connection: NatsConnection | undefined
  #stopped = false
  #awaySince: number | null
  #met = false
  #told: boolean | undefined
  /** Counts what NATS said of the connection: what was begun before is of no use any more. */
  #turn = 0

  constructor(options: LinkOptions) {
    this.#options = options
    this.#awaySince = options.clock.monotonic()
  }

  /** The connection, where NATS is there. */
  get connection(): NatsConnection | undefined {
    return this.#awaySince === null ? this.#connection : undefined
  }

  /** For how long NATS has been away, in milliseconds; infinite before it was ever there. */
  get awayMs(): number {
    if (this.#awaySince === null) return 0
    return this.#met ? this.#options.clock.monotonic() - this.#awaySince : Infinity
  }

  /** Begins to connect; resolves with the first connection, or after `limitMs`. */
  start(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.setTimeout(resolve, limitMs)
      void this.#keep(resolve)
    })
  }

  /** Closes the connection, once what was published has left. */
  async stop(): Promise<void> {
    this.#stopped = true
    const connection = this.#connection
    if (this.connection !== undefined) await Promise.race([connection?.drain(), this.#pause(1_000)])
    await connection?.close()
  }

  async #keep(first: () => void): Promise<void> {
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
        void this.#here(connection).then(first)
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
        this.#turn++
        this.#away(new Error('the connection to NATS was lost'))
      } else if (status.type === 'reconnect') void this.#here(connection)
    }
  }

  async #here(connection: NatsConnection): Promise<void> {
    const turn = ++this.#turn
    const isOver = (): boolean => this.#stopped || this.#turn !== turn || connection.isClosed()
    while (!isOver()) {
      try {
        const size = connection.info?.max_payload ?? 0
        if (size < MIN_PAYLOAD)
          throw new Error(`the server takes messages of ${size} bytes, and nodes need max_payload ${MIN_PAYLOAD}`)
        await this.#options.prepare(connection)
        if (isOver()) return
        this.#awaySince = null
        this.#met = true
        this.#told = true
        this.#options.onHere()
        return
      } catch (error) {
        if (isOver()) return
        this.#away(error)
      }
      await this.#pause(RETRY_MS)
    }
  }

  #away(error: unknown): void {
    if (this.#stopped) return
    this.#awaySince ??= this.#options.clock.monotonic()
    if (this.#told === false) return
    this.#told = false
    this.#options.onAway(error)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, ms))
  }
}
