import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { BusEvent, BusListener, BusSubscription, LiveBus } from '../../realtime/api.ts'
import type { Link } from './link.ts'
import { readGroup, writeGroup } from './live-group.ts'
import { hash } from './names.ts'

/** Bytes that may be on their way to NATS before more is held back: it does not read, or is not there any more. */
const MAX_PENDING = 16_777_216

/** Bytes after which NATS is asked whether it has them. */
const CONFIRM_BYTES = 262_144

/** Bytes of events after which a message is sent without waiting for more. */
const GROUP_BYTES = 65_536

/** Tenants, and publishers of one, whose numbering is remembered. */
const MAX_COUNTED = 10_000
const MAX_ORIGINS = 256

/** How long a subscription is waited for that NATS does not confirm, in milliseconds. */
const CONFIRM_MS = 1_000

/** Who listens to a tenant. */
interface Listening {
  readonly tenant: string | null
  readonly listener: BusListener
  /** The last number heard from each publisher. */
  readonly heard: Map<string, number>
  subscription: Subscription | undefined
  connection: NatsConnection | undefined
}

/** What a bus works with. */
export interface LiveBusOptions {
  readonly link: Link
  readonly randomBytes: (length: number) => Uint8Array
  readonly pause: (ms: number) => Promise<void>
  /** Runs a function once the work at hand is done. */
  readonly soon: (run: () => void) => void
  readonly onError: (error: unknown) => void
}

/**
 * Entity events between nodes over core NATS: sent once, heard by who listens, never kept. What is published in one turn of
 * the event loop goes out in one message, so that it comes to its readers as it does on one node, in one write. Each
 * publisher numbers what it sends to a tenant, so that who missed something is told. A tenant's name is in the subject as a
 * hash, and in the message as it is, where it is compared.
 */
export class NatsLiveBus implements LiveBus {
  readonly #options: LiveBusOptions
  readonly #counts = new Map<string | null, { readonly origin: string; n: number }>()
  readonly #listening = new Set<Listening>()
  /** What goes out in this turn, by tenant; all of one topic. */
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
      // Others shall see that something is missing.
      this.#count(tenant).n++
      return false
    }
    // No character of a name takes more than six bytes as JSON.
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

  /** Sends what waits for the end of the turn. */
  flush(): void {
    for (const tenant of [...this.#waiting.keys()]) this.#send(tenant)
  }

  subscribe(tenant: string | null, listener: BusListener): BusSubscription {
    const listening: Listening = { tenant, listener, heard: new Map(), subscription: undefined, connection: undefined }
    this.#listening.add(listening)
    const { link, pause } = this.#options
    const { connection } = link
    if (connection !== undefined) this.#attach(listening, connection)
    const confirmed = connection?.flush().catch(() => undefined)
    return {
      // Where NATS is away nothing is waited for: once it is back, the listener is told that something may be missing.
      ready: Promise.race([confirmed, pause(CONFIRM_MS)]).then(() => undefined),
      close: () => {
        this.#listening.delete(listening)
        if (listening.connection?.isClosed() === false) listening.subscription?.unsubscribe()
      },
    }
  }

  /** NATS is there, again or for the first time: what was published meanwhile is missing. */
  renew(): void {
    this.#pending = 0
    const connection = this.#options.link.connection!
    for (const listening of this.#listening) {
      // A connection that came back has its subscriptions; a new one has none.
      if (listening.connection !== connection) this.#attach(listening, connection)
      listening.heard.clear()
      listening.listener.lost()
    }
  }

  #attach(listening: Listening, connection: NatsConnection): void {
    listening.connection = connection
    listening.subscription = connection.subscribe(`svc.live.${tokenOf(listening.tenant)}.*`, {
      callback: (error, message) => {
        if (error === null) this.#hear(listening, message.data)
      },
    })
  }

  #hear({ tenant, listener, heard }: Listening, message: Uint8Array): void {
    const group = readGroup(message)
    if (group === undefined || group.head.tenant !== tenant) return
    const { origin, n } = group.head
    const last = heard.get(origin)
    heard.delete(origin)
    heard.set(origin, n)
    if (heard.size > MAX_ORIGINS) heard.delete(heard.keys().next().value!)
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
    // It went meanwhile: who listens is told when it is back.
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

/** The token of a name in a subject, remembered. */
function tokenOf(name: string | null): string {
  let found = hashes.get(name)
  if (found === undefined) {
    found = hash([name])
    if (hashes.size >= MAX_COUNTED) hashes.clear()
    hashes.set(name, found)
  }
  return found
}
