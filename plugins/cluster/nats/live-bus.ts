import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { BusEvent, BusListener, BusSubscription, LiveBus } from '../../realtime/api.ts'
import type { Link } from './link.ts'
import { hash } from './names.ts'

/** Bytes that may be on their way to NATS before more is held back: it does not read, or is not there any more. */
const MAX_PENDING = 16_777_216

/** Bytes after which NATS is asked whether it has them. */
const CONFIRM_BYTES = 262_144

/** Tenants, and publishers of one, whose numbering is remembered. */
const MAX_COUNTED = 10_000
const MAX_ORIGINS = 256

/** How long a subscription is waited for that NATS does not confirm, in milliseconds. */
const CONFIRM_MS = 1_000

/** What stands before an event: who numbered it, its number, whose it is. */
type Head = readonly [
  origin: string,
  n: number,
  tenant: string | null,
  topic: string,
  user: string | null | undefined,
  all: boolean,
]

/** Who listens to a tenant. */
interface Listening {
  readonly tenant: string | null
  readonly listener: BusListener
  /** The last number heard from each publisher. */
  readonly heard: Map<string, number>
  subscription: Subscription | undefined
  connection: NatsConnection | undefined
}

/**
 * Entity events between nodes over core NATS: sent once, heard by who listens, never kept. Each publisher numbers what it
 * sends to a tenant, so that who missed something is told. A tenant's name is in the subject as a hash, and in the message
 * as it is, where it is compared.
 */
export class NatsLiveBus implements LiveBus {
  readonly #link: Link
  readonly #random: (length: number) => Uint8Array
  readonly #wait: (ms: number) => Promise<void>
  readonly #counts = new Map<string | null, { readonly origin: string; n: number }>()
  readonly #listening = new Set<Listening>()
  #pending = 0
  #confirming = false

  constructor(link: Link, random: (length: number) => Uint8Array, wait: (ms: number) => Promise<void>) {
    this.#link = link
    this.#random = random
    this.#wait = wait
  }

  get away(): boolean {
    return this.#link.connection === undefined
  }

  publish(tenant: string | null, { topic, user, bytes }: BusEvent): boolean {
    const count = this.#count(tenant)
    // Numbered also where it cannot be sent: others shall see that something is missing.
    const head: Head = [count.origin, ++count.n, tenant, topic, user, user === undefined]
    const connection = this.#link.connection
    if (connection === undefined || this.#pending > MAX_PENDING) return false
    const before = Buffer.from(`${JSON.stringify(head)}\n`)
    const message = Buffer.concat([before, bytes])
    connection.publish(`svc.live.${tokenOf(tenant)}.${tokenOf(topic)}`, message)
    this.#pending += message.length
    if (this.#pending > CONFIRM_BYTES) this.#confirm(connection)
    return true
  }

  subscribe(tenant: string | null, listener: BusListener): BusSubscription {
    const listening: Listening = { tenant, listener, heard: new Map(), subscription: undefined, connection: undefined }
    this.#listening.add(listening)
    const connection = this.#link.connection
    if (connection !== undefined) this.#attach(listening, connection)
    const confirmed = connection?.flush().catch(() => undefined)
    return {
      // Where NATS is away nothing is waited for: once it is back, the listener is told that something may be missing.
      ready: Promise.race([confirmed, this.#wait(CONFIRM_MS)]).then(() => undefined),
      close: () => {
        this.#listening.delete(listening)
        if (listening.connection?.isClosed() === false) listening.subscription?.unsubscribe()
      },
    }
  }

  /** NATS is there, again or for the first time: what was published meanwhile is missing. */
  renew(): void {
    this.#pending = 0
    const connection = this.#link.connection!
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
    const end = message.indexOf(10)
    const head = readHead(message.subarray(0, end))
    if (head === undefined || head[2] !== tenant) return
    const [origin, n, , topic, user, all] = head
    const last = heard.get(origin)
    heard.delete(origin)
    heard.set(origin, n)
    if (heard.size > MAX_ORIGINS) heard.delete(heard.keys().next().value!)
    if (last !== undefined && n !== last + 1) listener.lost()
    // A copy: what NATS gives is part of a larger buffer, which would live as long as the event.
    listener.event({ topic, bytes: message.slice(end + 1), ...(!all && { user: user ?? null }) })
  }

  #count(tenant: string | null): { readonly origin: string; n: number } {
    let count = this.#counts.get(tenant)
    if (count === undefined) {
      count = { origin: Buffer.from(this.#random(9)).toString('base64url'), n: 0 }
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

function readHead(bytes: Uint8Array): Head | undefined {
  try {
    const head = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown
    return Array.isArray(head) && head.length === 6 ? (head as unknown as Head) : undefined
  } catch {
    return undefined
  }
}
