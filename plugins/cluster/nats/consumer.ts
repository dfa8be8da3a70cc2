import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import { type ConsumerConfig, createConsumer, createInbox, deleteConsumer } from './jetstream.ts'

/** A message and its place in the stream. */
export interface Delivered {
  readonly position: number
  /** How many more were there when it was sent. */
  readonly left: number
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

/** What the reply of each message of a stream begins with; to read its headers for that would take longer. */
const DELIVERY = '$JS.ACK.'

const [DOT, ZERO] = [46, 48]

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
    const reply = message.reply ?? ''
    if (!reply.startsWith(DELIVERY)) {
      this.#heed(message, reply)
      return
    }
    const { position, number, left } = placeOf(reply)
    if (number !== this.#number + 1) {
      this.renew()
      return
    }
    this.#number = number
    this.#left = left
    this.#options.onMessage({ position, left, message })
    if (left === 0 && this.#made?.name !== undefined) this.#catchUp()
  }

  /** What the server says beside messages of the stream. */
  #heed({ headers }: Msg, reply: string): void {
    if (headers?.code !== 100) return
    // A question whether it keeps up; without an answer the server stops.
    if (reply !== '') this.#made?.nats.publish(reply)
    const stalled = headers.get('Nats-Consumer-Stalled')
    if (stalled !== '') this.#made?.nats.publish(stalled)
    const last = headers.get('Nats-Last-Consumer')
    if (last !== '' && Number(last) !== this.#number) this.renew()
    else if (last !== '' && this.#made?.name !== undefined) this.#catchUp()
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

/**
 * What a reply says: $JS.ACK.<stream>.<consumer>.<deliveries>.<position>.<number>.<time>.<left>, in newer servers with a domain
 * and an account before, and one more behind. It is read for each of thousands, so nothing is cut out of it.
 */
function placeOf(reply: string): { readonly position: number; readonly number: number; readonly left: number } {
  let dots = 0
  for (let at = 0; at < reply.length; at++) if (reply.charCodeAt(at) === DOT) dots++
  const first = dots >= 10 ? 7 : 5
  let [position, number, left] = [0, 0, 0]
  let token = 0
  for (let at = 0; at < reply.length; at++) {
    const code = reply.charCodeAt(at)
    if (code === DOT) token++
    else if (token === first) position = 10 * position + code - ZERO
    else if (token === first + 1) number = 10 * number + code - ZERO
    else if (token === first + 3) left = 10 * left + code - ZERO
  }
  return { position, number, left }
}
