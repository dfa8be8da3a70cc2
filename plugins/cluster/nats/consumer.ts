import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import { type ConsumerConfig, createConsumer, createInbox, deleteConsumer } from './jetstream.ts'

/** A message and its place in the stream. */
export interface Delivered {
  readonly position: number
  /** When the stream got the message, in Unix ms. */
  readonly atMs: number
  /** How many more messages the stream had for the consumer when this one was sent. */
  readonly left: number
  readonly message: Msg
}

/** What `Consumer` works with. */
export interface ConsumerOptions {
  readonly stream: string
  readonly clock: Clock
  readonly connection: () => NatsConnection | undefined
  /** Which messages to deliver; called whenever the consumer is created. */
  readonly config: () => Omit<ConsumerConfig, 'idle_heartbeat'>
  /** How often the server sends at least a heartbeat, in milliseconds. */
  readonly heartbeatMs: number
  /** Whether the consumer may be on a server; undefined for a NATS of one server. */
  readonly accepts?: (server: string | undefined) => boolean
  readonly onBegin?: (nats: NatsConnection) => Promise<void> | void
  readonly onMessage: (delivered: Delivered) => void
  /** Called once everything that the stream had at the beginning is delivered. */
  readonly onCaughtUp?: () => void
  readonly onError: (error: unknown) => void
}

/** The prefix of the reply subject of each message of a stream. Reading the headers instead would take longer. */
const DELIVERY = '$JS.ACK.'

const [DOT, ZERO] = [46, 48]

/** How often a consumer is created again because NATS chose another server than is wanted. */
const MAX_TRIES = 20

/** Pause before a consumer that could not be created is tried again, in milliseconds. */
const RETRY_MS = 250

/**
 * Delivers the messages of a stream, stored and new, over one push consumer. The consumer is created again after a gap
 * in its numbers, after silence, and on a new connection; `config` says where it begins.
 */
export class Consumer {
  readonly #options: ConsumerOptions
  #current: { readonly subscription: Subscription; readonly nats: NatsConnection; name: string | undefined } | undefined
  #number = 0
  #left: number | undefined
  #caughtUp = false
  #activeAt = 0
  #isCreating = false
  #again = false
  #closed = false
  #retry: unknown

  constructor(options: ConsumerOptions) {
    this.#options = options
    this.renew()
  }

  /** Creates the consumer again. */
  renew(): void {
    this.#again = this.#isCreating
    if (this.#closed || this.#isCreating) return
    this.#options.clock.clearTimeout(this.#retry)
    this.#drop()
    const nats = this.#options.connection()
    // When NATS is connected again, all consumers are renewed.
    if (nats === undefined) return
    this.#isCreating = true
    this.#create(nats)
      .catch((error: unknown) => {
        this.#drop()
        if (this.#closed || this.#options.connection() === undefined) return
        this.#options.onError(error)
        this.#retry = this.#options.clock.setTimeout(() => this.renew(), RETRY_MS)
      })
      .finally(() => {
        this.#isCreating = false
        // The connection may have been replaced meanwhile.
        if (this.#again || (this.#current !== undefined && this.#current.nats !== this.#options.connection()))
          this.renew()
      })
  }

  /** Renews the consumer if it has been silent for three heartbeats. */
  check(): void {
    const { clock, heartbeatMs } = this.#options
    if (this.#current !== undefined && clock.monotonic() - this.#activeAt > 3 * heartbeatMs) this.renew()
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  async #create(nats: NatsConnection, tries = 1): Promise<void> {
    const { clock, stream, config, heartbeatMs, accepts, onBegin } = this.#options
    await onBegin?.(nats)
    if (this.#closed) return
    this.#number = 0
    this.#left = undefined
    this.#caughtUp = false
    this.#activeAt = clock.monotonic()
    const inbox = createInbox()
    // What comes before the server of the consumer is known.
    let held: Msg[] | undefined = []
    const subscription = nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error !== null || this.#current?.subscription !== subscription) return
        if (held === undefined) this.#receive(message)
        else held.push(message)
      },
    })
    const made = { subscription, nats, name: undefined as string | undefined }
    this.#current = made
    const { name, num_pending, cluster } = await createConsumer(nats, stream, inbox, {
      ...config(),
      idle_heartbeat: heartbeatMs * 1e6,
    })
    made.name = name
    if (this.#current === made && accepts?.(cluster?.leader) === false && tries < MAX_TRIES) {
      this.#drop()
      return this.#create(nats, tries + 1)
    }
    const early = held
    held = undefined
    for (const message of early) if (this.#current === made) this.#receive(message)
    if (this.#current !== made) deleteConsumer(nats, stream, name)
    else if (num_pending === 0 || this.#left === 0) this.#catchUp()
  }

  #receive(message: Msg): void {
    this.#activeAt = this.#options.clock.monotonic()
    const reply = message.reply ?? ''
    if (!reply.startsWith(DELIVERY)) {
      this.#control(message, reply)
      return
    }
    const { number, ...place } = placeOf(reply)
    if (number !== this.#number + 1) {
      this.renew()
      return
    }
    this.#number = number
    this.#left = place.left
    this.#options.onMessage({ ...place, message })
    if (place.left === 0 && this.#current?.name !== undefined) this.#catchUp()
  }

  /** Handles heartbeats and flow control. */
  #control({ headers }: Msg, reply: string): void {
    if (headers?.code !== 100) return
    // Flow control: the server stops to deliver until it gets an answer.
    if (reply !== '') this.#current?.nats.publish(reply)
    const stalled = headers.get('Nats-Consumer-Stalled')
    if (stalled !== '') this.#current?.nats.publish(stalled)
    const last = headers.get('Nats-Last-Consumer')
    if (last !== '' && Number(last) !== this.#number) this.renew()
    else if (last !== '' && this.#current?.name !== undefined) this.#catchUp()
  }

  #catchUp(): void {
    if (this.#caughtUp) return
    this.#caughtUp = true
    this.#options.onCaughtUp?.()
  }

  #drop(): void {
    const made = this.#current
    this.#current = undefined
    if (made === undefined || made.nats.isClosed()) return
    made.subscription.unsubscribe()
    if (made.name !== undefined && made.nats === this.#options.connection())
      deleteConsumer(made.nats, this.#options.stream, made.name)
  }
}

/**
 * Reads a reply subject: $JS.ACK.<stream>.<consumer>.<deliveries>.<position>.<number>.<time>.<left>, the time in
 * nanoseconds. Newer servers put a domain and an account before the stream and a token at the end. Thousands are read
 * in a row, so no substrings are made.
 */
function placeOf(reply: string): Omit<Delivered, 'message'> & { readonly number: number } {
  let dots = 0
  for (let at = 0; at < reply.length; at++) if (reply.charCodeAt(at) === DOT) dots++
  const first = dots >= 10 ? 7 : 5
  let [position, number, time, left] = [0, 0, 0, 0]
  let token = 0
  for (let at = 0; at < reply.length; at++) {
    const code = reply.charCodeAt(at)
    if (code === DOT) token++
    else if (token === first) position = 10 * position + code - ZERO
    else if (token === first + 1) number = 10 * number + code - ZERO
    else if (token === first + 2) time = 10 * time + code - ZERO
    else if (token === first + 3) left = 10 * left + code - ZERO
  }
  return { position, number, atMs: Math.floor(time / 1e6), left }
}
