import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { BusEvent, BusListener, BusSubscription, LiveBus } from '../../realtime/api.ts'
import type { Link } from './link.ts'
import { readGroup, writeGroup } from './live-group.ts'
import { hash } from './names.ts'

/** Bytes that may wait for NATS before further events are refused: the server does not read, or is gone. */
const MAX_PENDING = 16_777_216

/** Bytes after which a confirmation by NATS is requested. */
const CONFIRM_BYTES = 262_144

/** Bytes of events after which a message is sent at once. */
const GROUP_BYTES = 65_536

/** How many tenants, and how many publishers of a tenant, have their numbers remembered. */
const MAX_COUNTED = 10_000
const MAX_ORIGINS = 256

/** How long a stream waits for NATS to confirm its subscription, in milliseconds. */
const CONFIRM_MS = 1_000

/** A listener to a tenant. */
interface Subscriber {
  readonly tenant: string | null
  readonly listener: BusListener
  /** The last number received from each publisher. */
  readonly received: Map<string, number>
  subscription: Subscription | undefined
  connection: NatsConnection | undefined
}

/** What `NatsLiveBus` works with. */
export interface LiveBusOptions {
  readonly link: Link
  readonly randomBytes: (length: number) => Uint8Array
  readonly pause: (ms: number) => Promise<void>
  /** Runs a function at the end of this turn of the event loop. */
  readonly soon: (run: () => void) => void
  readonly onError: (error: unknown) => void
}

/**
 * Carries entity events between nodes over core NATS, which stores nothing. Events that are published in one turn of the event
 * loop go out in one message, so that readers get them in one write, as on one node. Each publisher numbers its messages to a
 * tenant, so that listeners notice a missing one. The subject has a hash of the tenant's name, and the message has the name
 * itself, which is compared.
 */
export class NatsLiveBus implements LiveBus {
  readonly #options: LiveBusOptions
  readonly #counts = new Map<string | null, { readonly origin: string; n: number }>()
  readonly #subscribers = new Set<Subscriber>()
  /** The events that go out in this turn, by tenant; all of one topic. */
  readonly #waiting = new Map<string | null, { readonly events: BusEvent[]; bytes: number }>()
  #pending = 0
  #confirming = false

  constructor(options: LiveBusOptions) {
    this.#options = options
  }

  get away(): boolean {
    return this.#options.link.connection === undefined
  }

  publish(tenant: string | null, event: BusEvent): boolean {
    if (this.away || this.#pending > MAX_PENDING) {
      // The gap in the numbers shows other nodes that an event is missing.
      this.#count(tenant).n++
      return false
    }
    // A character of a name takes at most six bytes as JSON.
    const bytes = event.bytes.length + 6 * (event.user?.length ?? 0)
    let group = this.#waiting.get(tenant)
    if (group !== undefined && (group.events[0]!.topic !== event.topic || group.bytes + bytes > GROUP_BYTES)) {
      this.#send(tenant)
      group = undefined
    }
    if (group === undefined) {
      group = { events: [], bytes: 0 }
      if (this.#waiting.size === 0) this.#options.soon(() => this.flush())
      this.#waiting.set(tenant, group)
    }
    group.events.push(event)
    group.bytes += bytes
    this.#pending += bytes
    return true
  }

  /** Sends the events of this turn now. */
  flush(): void {
    for (const tenant of [...this.#waiting.keys()]) this.#send(tenant)
  }

  subscribe(tenant: string | null, listener: BusListener): BusSubscription {
    const subscriber: Subscriber = {
      tenant,
      listener,
      received: new Map(),
      subscription: undefined,
      connection: undefined,
    }
    this.#subscribers.add(subscriber)
    const { link, pause } = this.#options
    const { connection } = link
    if (connection !== undefined) this.#attach(subscriber, connection)
    const confirmed = connection?.flush().catch(() => undefined)
    return {
      // Without a connection nothing is awaited. On the next one the listener learns that events may be missing.
      ready: Promise.race([confirmed, pause(CONFIRM_MS)]).then(() => undefined),
      close: () => {
        this.#subscribers.delete(subscriber)
        if (subscriber.connection?.isClosed() === false) subscriber.subscription?.unsubscribe()
      },
    }
  }

  /** To be called on each connection: events that were published before are missing. */
  renew(): void {
    this.#pending = 0
    const connection = this.#options.link.connection!
    for (const subscriber of this.#subscribers) {
      // A connection that came back has its subscriptions; a new one has none.
      if (subscriber.connection !== connection) this.#attach(subscriber, connection)
      subscriber.received.clear()
      subscriber.listener.lost()
    }
  }

  #attach(subscriber: Subscriber, connection: NatsConnection): void {
    subscriber.connection = connection
    subscriber.subscription = connection.subscribe(`svc.live.${tokenOf(subscriber.tenant)}.*`, {
      callback: (error, message) => {
        if (error === null) this.#receive(subscriber, message.data)
      },
    })
  }

  #receive({ tenant, listener, received }: Subscriber, message: Uint8Array): void {
    const group = readGroup(message)
    if (group === undefined || group.head.tenant !== tenant) return
    const { origin, n } = group.head
    const last = received.get(origin)
    received.delete(origin)
    received.set(origin, n)
    if (received.size > MAX_ORIGINS) received.delete(received.keys().next().value!)
    if (last !== undefined && n !== last + 1) listener.lost()
    for (const event of group.events) listener.event(event)
  }

  #send(tenant: string | null): void {
    const { link, onError } = this.#options
    const { events, bytes } = this.#waiting.get(tenant)!
    this.#waiting.delete(tenant)
    const count = this.#count(tenant)
    const message = writeGroup({ origin: count.origin, n: ++count.n, tenant }, events)
    const { connection } = link
    // The connection was lost meanwhile. Listeners learn of it on the next one.
    if (connection === undefined) return
    try {
      connection.publish(`svc.live.${tokenOf(tenant)}.${tokenOf(events[0]!.topic)}`, message)
    } catch (error) {
      onError(error)
      return
    }
    this.#pending += Math.max(0, message.length - bytes)
    if (this.#pending > CONFIRM_BYTES) this.#confirm(connection)
  }

  #count(tenant: string | null): { readonly origin: string; n: number } {
    let count = this.#counts.get(tenant)
    if (count === undefined) {
      count = { origin: Buffer.from(this.#options.randomBytes(9)).toString('base64url'), n: 0 }
      this.#counts.set(tenant, count)
      if (this.#counts.size > MAX_COUNTED) this.#counts.delete(this.#counts.keys().next().value!)
    }
    return count
  }

  #confirm(connection: NatsConnection): void {
    if (this.#confirming) return
    this.#confirming = true
    const asked = this.#pending
    connection
      .flush()
      .then(
        () => {
          this.#pending = Math.max(0, this.#pending - asked)
        },
        () => undefined,
      )
      .finally(() => {
        this.#confirming = false
      })
  }
}

const hashes = new Map<string | null, string>()

/** The token of a name in a subject; cached. */
function tokenOf(name: string | null): string {
  let found = hashes.get(name)
  if (found === undefined) {
    found = hash([name])
    if (hashes.size >= MAX_COUNTED) hashes.clear()
    hashes.set(name, found)
  }
  return found
}
