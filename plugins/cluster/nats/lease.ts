import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import { type Acknowledgement, ASK_MS, expecting, JetStreamError, lastMessage, readAnswer } from './jetstream.ts'
import { BASES, LEASE } from './names.ts'

/** After this silence of its holder, another node takes the lease. In milliseconds. */
const SILENCE_MS = 30_000

/** What `Lease` works with. */
export interface LeaseOptions {
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
  readonly connection: () => NatsConnection
}

/**
 * Decides which node removes old runs and ends abandoned ones. The holder renews the lease again and again. If a node
 * has seen no renewal for a while, by its own monotonic clock, it takes the lease; of several, the first to write gets
 * it.
 */
export class Lease {
  readonly #options: LeaseOptions
  readonly #ownId: string
  #seen = -1
  #seenAt = 0

  constructor(options: LeaseOptions) {
    this.#options = options
    this.#ownId = Buffer.from(options.randomBytes(12)).toString('base64url')
  }

  /** Renews or takes the lease; false if another node holds it. */
  async ask(): Promise<boolean> {
    const { clock, connection } = this.#options
    const nats = connection()
    const last = await lastMessage(nats, BASES, LEASE)
    if (last !== undefined && last.text !== this.#ownId) {
      if (last.seq !== this.#seen) {
        this.#seen = last.seq
        this.#seenAt = clock.monotonic()
      }
      if (clock.monotonic() - this.#seenAt < SILENCE_MS) return false
    }
    const head = expecting(LEASE, last?.seq ?? 0, this.#ownId)
    head.set('Nats-Rollup', 'sub')
    try {
      const answer = await nats.request(LEASE, this.#ownId, { headers: head, timeout: ASK_MS })
      return readAnswer<Acknowledgement>(answer).duplicate !== true
    } catch (error) {
      if (error instanceof JetStreamError) return false
      throw error
    }
  }
}
