import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import { type ConsumerConfig, createConsumer, createInbox, deleteConsumer } from './jetstream.ts'

/** A message and its place in the stream. */
export interface Delivered {
  readonly position: number
  readonly message: Msg
}

/** What a consumer works with. */
export interface ConsumerOptions {
  readonly stream: string
  readonly clock: Clock
  readonly connection: () => NatsConnection | undefined
  /** What is to be delivered, now. */
  readonly config: () => Omit<ConsumerConfig, 'idle_heartbeat'>
  /** A word is heard at least so often, in milliseconds. */
  readonly heartbeatMs: number
  readonly onBegin?: (nats: NatsConnection) => Promise<void> | void
  readonly onMessage: (delivered: Delivered) => void
  /** All that there was is delivered. */
  readonly onCaughtUp?: () => void
  readonly onError: (error: unknown) => void
}

/** Time before a consumer that could not be made is tried again, in milliseconds. */
const RETRY_MS = 250

/**
 * Messages of a stream as they are and as they come, over one push consumer. It is made anew where its numbering has a
 * break, where it falls silent, and where the connection is another: `config` says from where on.
 */
export class Consumer {
  readonly #options: ConsumerOptions
  #made: { readonly subscription: Subscription; readonly nats: NatsConnection; name: string | undefined } | undefined
  #number = 0
  #left: number | undefined
  #caughtUp = false
  #heardAt = 0
  #making = false
  #again = false
  #closed = false

  constructor(options: ConsumerOptions) {
    this.#options = options
    this.renew()
  }

  /** Begins anew. */
  renew(): void {
    this.#again = this.#making
    if (this.#closed || this.#making) return
    this.#drop()
    const nats = this.#options.connection()
    // Once NATS is back, all consumers are renewed.
    if (nats === undefined) return
    this.#making = true
    this.#make(nats)
      .catch((error: unknown) => {
        this.#drop()
        if (this.#closed || this.#options.connection() === undefined) return
        this.#options.onError(error)
        this.#options.clock.setTimeout(() => this.renew(), RETRY_MS)
      })
      .finally(() => {
        this.#making = false
        // The connection may have been lost meanwhile, and another come.
        if (this.#again || (this.#made !== undefined && this.#made.nats !== this.#options.connection())) this.renew()
      })
  }

  /** Renews it where nothing was heard for too long. */
  check(): void {
    const { clock, heartbeatMs } = this.#options
    if (this.#made !== undefined && clock.monotonic() - this.#heardAt > 3 * heartbeatMs) this.renew()
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  async #make(nats: NatsConnection): Promise<void> {
    const { clock, stream, config, heartbeatMs, onBegin } = this.#options
    await onBegin?.(nats)
    if (this.#closed) return
    this.#number = 0
    this.#left = undefined
    this.#caughtUp = false
    this.#heardAt = clock.monotonic()
    const inbox = createInbox()
    const subscription = nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error === null && this.#made?.subscription === subscription) this.#hear(message)
      },
    })
    const made = { subscription, nats, name: undefined as string | undefined }
    this.#made = made
    const { name, num_pending } = await createConsumer(nats, stream, inbox, {
      ...config(),
      idle_heartbeat: heartbeatMs * 1e6,
    })
    made.name = name
    if (this.#made !== made) deleteConsumer(nats, stream, name)
    else if (num_pending === 0 || this.#left === 0) this.#catchUp()
  }

  #hear(message: Msg): void {
    this.#heardAt = this.#options.clock.monotonic()
    if (message.headers?.code === 100) {
      // A question whether it keeps up; without an answer the server stops.
      if (message.reply !== undefined && message.reply !== '') message.respond()
      const stalled = message.headers.get('Nats-Consumer-Stalled')
      if (stalled !== '') this.#made?.nats.publish(stalled)
      const last = message.headers.get('Nats-Last-Consumer')
      if (last !== '' && Number(last) !== this.#number) this.renew()
      else if (last !== '' && this.#made?.name !== undefined) this.#catchUp()
      return
    }
    // $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<number>.<time>.<left>, with a domain and an account before in newer ones.
    const parts = message.reply?.split('.') ?? []
    const at = parts.length >= 11 ? 7 : 5
    const [position, number, left] = [Number(parts[at]), Number(parts[at + 1]), Number(parts[at + 3])]
    if (number !== this.#number + 1) {
      this.renew()
      return
    }
    this.#number = number
    this.#left = left
    this.#options.onMessage({ position, message })
    if (left === 0 && this.#made?.name !== undefined) this.#catchUp()
  }

  #catchUp(): void {
    if (this.#caughtUp) return
    this.#caughtUp = true
    this.#options.onCaughtUp?.()
  }

  #drop(): void {
    const made = this.#made
    this.#made = undefined
    if (made === undefined || made.nats.isClosed()) return
    made.subscription.unsubscribe()
    if (made.name !== undefined && made.nats === this.#options.connection())
      deleteConsumer(made.nats, this.#options.stream, made.name)
  }
}
