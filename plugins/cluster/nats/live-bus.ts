/** The bus of entity events over core NATS. */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import { dropOldest } from '../../../core/kernel/values.ts'
import type { BusEvent, JoinedFeeds, LiveBus, TenantFeed } from '../../realtime/live/api.ts'
import { type Bus, BusFeeds, type BusListener, type BusSubscription } from './joined-feeds.ts'
import type { Link } from './link.ts'
import { isEvent, readGroup, writeGroup } from './live-group.ts'
import { type Group, LiveOutbox } from './live-outbox.ts'
import { hash } from './names.ts'

/** Bytes after which a confirmation by NATS is requested. */
const CONFIRM_BYTES = 262_144

/** Bytes without a confirmation by NATS after which further messages wait here, where tenants take turns. */
const WINDOW_BYTES = 1_048_576

/** Most tenants, and most publishers of a tenant, whose message numbers are kept. */
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
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly randomBytes: (length: number) => Uint8Array
  /** Runs a function at the end of this turn of the event loop. */
  readonly soon: (run: () => void) => void
  /** Called with the subject of a message that is skipped because no node wrote it. */
  readonly onSkipped: (subject: string) => void
  readonly onError: (error: unknown) => void
}

/**
 * Carries entity events between nodes over core NATS, which stores nothing. Events that are published in one turn of
 * the event loop go out in one message, so that readers get them in one write, as on one node. While NATS is slower
 * than the node, tenants take turns. Each publisher numbers its messages to a tenant, so that listeners notice a
 * missing one. The subject has a hash of the tenant's name, and the message has the name itself, which is compared.
 */
export class NatsLiveBus implements Bus, LiveBus {
  readonly #options: LiveBusOptions
  readonly #counts = new Map<string | null, { readonly origin: string; n: number }>()
  readonly #subscribers = new Set<Subscriber>()
  readonly #outbox = new LiveOutbox()
  /** Bytes that were sent and are not confirmed. */
  #unconfirmed = 0
  #isSending = false
  /** The confirmation that is awaited. */
  #confirming: symbol | undefined

  constructor(options: LiveBusOptions) {
    this.#options = options
  }

  get away(): boolean {
    return this.#options.link.connection === undefined
  }

  join(feeds: ReadonlyMap<string | null, TenantFeed>): JoinedFeeds {
    return new BusFeeds(this, this.#options.clock, feeds)
  }

  publish(tenant: string | null, event: BusEvent): boolean {
    const next = (): { readonly origin: string; readonly n: number } => {
      const count = this.#count(tenant)
      return { origin: count.origin, n: ++count.n }
    }
    if (this.away || !this.#outbox.add(tenant, event, this.#unconfirmed, next)) {
      // The gap in the numbers shows other nodes that an event is missing.
      next()
      return false
    }
    if (!this.#isSending) {
      this.#isSending = true
      this.#options.soon(() => {
        this.#isSending = false
        this.#send(WINDOW_BYTES)
      })
    }
    return true
  }

  /** Sends everything now. */
  flush(): void {
    this.#send(Infinity)
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
    const { link, clock } = this.#options
    const { connection } = link
    if (connection !== undefined) this.#attach(subscriber, connection)
    const confirmed = connection?.flush().catch(() => undefined)
    const late = new Promise<void>((resolve) => void clock.setTimeout(resolve, CONFIRM_MS))
    return {
      // Without a connection there is nothing to wait for. `renew` calls `lost()` on the next connection.
      ready: Promise.race([confirmed, late]).then(() => undefined),
      close: () => {
        this.#subscribers.delete(subscriber)
        if (subscriber.connection?.isClosed() === false) subscriber.subscription?.unsubscribe()
      },
    }
  }

  /** To be called on each connection: events that were published before are missing. */
  renew(): void {
    this.#outbox.clear()
    this.#unconfirmed = 0
    this.#confirming = undefined
    const connection = this.#options.link.use()
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
        if (error === null) this.#receive(subscriber, message)
      },
    })
  }

  #receive({ tenant, listener, received }: Subscriber, { subject, data }: Msg): void {
    const group = readGroup(data)
    if (group === undefined || subject !== subjectOf(group.head) || !group.events.every(isEvent)) {
      this.#options.onSkipped(subject)
      return
    }
    // Two tenants with one hash share a subject.
    if (group.head.tenant !== tenant) return
    const { origin, n } = group.head
    const last = received.get(origin)
    received.delete(origin)
    received.set(origin, n)
    if (received.size > MAX_ORIGINS) dropOldest(received)
    if (last !== undefined && n !== last + 1) listener.lost()
    for (const event of group.events) listener.event(event)
  }

  /** Sends messages while fewer than `window` bytes are unconfirmed. */
  #send(window: number): void {
    const { connection } = this.#options.link
    // Without a connection the messages stay queued; `renew` drops them and reports the loss to the listeners.
    if (connection === undefined) return
    while (this.#unconfirmed < window) {
      const group = this.#outbox.take()
      if (group === undefined) break
      this.#publish(connection, group)
    }
    if (this.#unconfirmed > CONFIRM_BYTES) this.#confirm(connection)
  }

  #publish(connection: NatsConnection, group: Group): void {
    const message = writeGroup(group, group.events)
    try {
      connection.publish(subjectOf(group), message)
      this.#unconfirmed += message.length
    } catch (error) {
      this.#options.onError(error)
    }
  }

  #count(tenant: string | null): { readonly origin: string; n: number } {
    let count = this.#counts.get(tenant)
    if (count === undefined) {
      count = { origin: Buffer.from(this.#options.randomBytes(9)).toString('base64url'), n: 0 }
      this.#counts.set(tenant, count)
      if (this.#counts.size > MAX_COUNTED) dropOldest(this.#counts)
    }
    return count
  }

  #confirm(connection: NatsConnection): void {
    if (this.#confirming !== undefined) return
    const confirming = Symbol()
    this.#confirming = confirming
    const asked = this.#unconfirmed
    connection.flush().then(
      () => {
        // After an outage `renew` has reset the count.
        if (this.#confirming !== confirming) return
        this.#confirming = undefined
        this.#unconfirmed -= asked
        this.#send(WINDOW_BYTES)
      },
      () => {
        if (this.#confirming === confirming) this.#confirming = undefined
      },
    )
  }
}

/** The subject of the events of a tenant and a topic. */
function subjectOf({ tenant, topic }: Pick<Group, 'tenant' | 'topic'>): string {
  return `svc.live.${tokenOf(tenant)}.${tokenOf(topic)}`
}

const hashes = new Map<string | null, string>()

/** The token of a name in a subject; cached. */
function tokenOf(name: string | null): string {
  let token = hashes.get(name)
  if (token === undefined) {
    token = hash([name])
    if (hashes.size >= MAX_COUNTED) hashes.clear()
    hashes.set(name, token)
  }
  return token
}
