/** Entity events that wait for NATS. Tenants take turns, so that the events of one do not wait for those of another. */
import type { BusEvent } from '../../realtime/live/api.ts'

/** Bytes of events after which a message is complete. */
const GROUP_BYTES = 65_536

/** The cost of a message besides its events: its line of names and sizes, and its place in the queue. */
const GROUP_OVERHEAD = 256

/** Bytes of all events that wait, and of those that the server has not confirmed. */
export const MAX_PENDING = 16_777_216

/** Events of a tenant and a topic that go out in one message. */
export interface Group {
  readonly tenant: string | null
  readonly topic: string
  /** The publisher, and its number of the message. */
  readonly origin: string
  readonly n: number
  readonly events: BusEvent[]
  bytes: number
}

/** The messages of a tenant that wait, from `from` on. */
interface Queue {
  groups: Group[]
  from: number
  bytes: number
  /** Whether the last message takes more events. */
  isOpen: boolean
}

/** The messages that wait, by tenant. The tenant whose turn it is comes first. */
export class LiveOutbox {
  readonly #queues = new Map<string | null, Queue>()
  #bytes = 0

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Adds an event; false if it has no room. A tenant may have as many bytes waiting as are left for all others together
   * (dynamic thresholds: Choudhury and Hahne, 1998), so one that publishes too much leaves half to others.
   * `unconfirmed` are bytes that have been sent and take room too; `next` gives the publisher and the number of a new
   * message.
   */
  add(
    tenant: string | null,
    event: BusEvent,
    unconfirmed: number,
    next: () => { readonly origin: string; readonly n: number },
  ): boolean {
    // A character of a name takes at most six bytes as JSON.
    const bytes = event.bytes.length + 6 * (event.user?.length ?? 0)
    let queue = this.#queues.get(tenant)
    if ((queue?.bytes ?? 0) + bytes > MAX_PENDING - this.#bytes - unconfirmed) {
      if (queue !== undefined) queue.isOpen = false
      return false
    }
    if (queue === undefined) {
      queue = { groups: [], from: 0, bytes: 0, isOpen: false }
      this.#queues.set(tenant, queue)
    }
    let group = queue.isOpen ? queue.groups.at(-1) : undefined
    if (group === undefined || group.topic !== event.topic || group.bytes + bytes > GROUP_BYTES) {
      group = { tenant, topic: event.topic, ...next(), events: [], bytes: GROUP_OVERHEAD }
      queue.groups.push(group)
      queue.isOpen = true
      this.#count(queue, GROUP_OVERHEAD)
    }
    group.events.push(event)
    group.bytes += bytes
    this.#count(queue, bytes)
    return true
  }

  /** Takes the oldest message of the tenant whose turn it is. */
  take(): Group | undefined {
    for (const [tenant, queue] of this.#queues) {
      this.#queues.delete(tenant)
      const group = queue.groups[queue.from++]
      if (group === undefined) continue
      this.#count(queue, -group.bytes)
      if (queue.from === queue.groups.length) return group
      // Moving the rest at every message would take quadratic time.
      if (queue.from > 64 && 2 * queue.from > queue.groups.length) {
        queue.groups = queue.groups.slice(queue.from)
        queue.from = 0
      }
      this.#queues.set(tenant, queue)
      return group
    }
    return undefined
  }

  clear(): void {
    this.#queues.clear()
    this.#bytes = 0
  }

  #count(queue: Queue, bytes: number): void {
    queue.bytes += bytes
    this.#bytes += bytes
  }
}
