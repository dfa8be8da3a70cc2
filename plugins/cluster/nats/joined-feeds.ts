/** Joins the feeds of this node with those of other nodes over a bus (live-bus.ts). */
import type { Clock } from '../../../core/kernel/environment.ts'
import type { BusEvent, JoinedFeeds, TenantFeed } from '../../realtime/live/api.ts'

/** A listener to the events of a tenant. */
export interface BusListener {
  event(event: BusEvent): void
  /** Called when an unknown number of events was missed. */
  lost(): void
}

/** A subscription to the events of a tenant. */
export interface BusSubscription {
  /** Resolves when every event that is published from then on arrives, or when that cannot be confirmed in time. */
  readonly ready: Promise<void>
  close(): void
}

/** Carries events between nodes. */
export interface Bus {
  /** False if the event cannot be sent; then no node gets it. */
  publish(tenant: string | null, event: BusEvent): boolean
  subscribe(tenant: string | null, listener: BusListener): BusSubscription
}

/**
 * How long the subscription to a tenant lasts without a reader, so that a reader that reconnects finds it, in
 * milliseconds.
 */
const RESTING_MS = 10_000

interface Joined {
  readonly subscription: BusSubscription
  timer: unknown
}

/** Joins the feeds of this node with those of other nodes by a bus. */
export class BusFeeds implements JoinedFeeds {
  readonly #bus: Bus
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly #feeds: ReadonlyMap<string | null, TenantFeed>
  readonly #joined = new Map<string | null, Joined>()

  constructor(
    bus: Bus,
    clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
    feeds: ReadonlyMap<string | null, TenantFeed>,
  ) {
    this.#bus = bus
    this.#clock = clock
    this.#feeds = feeds
  }

  publish(tenant: string | null, event: BusEvent): boolean {
    return this.#bus.publish(tenant, event)
  }

  ready(tenant: string | null): Promise<void> {
    let joined = this.#joined.get(tenant)
    if (joined === undefined) {
      const subscription = this.#bus.subscribe(tenant, {
        event: (event) => void this.#feeds.get(tenant)?.push(event),
        lost: () => this.#feeds.get(tenant)?.lose(),
      })
      joined = { subscription, timer: undefined }
      this.#joined.set(tenant, joined)
    }
    // Starts the timer, because a reader may never attach: the caller may have too many streams.
    this.rest(tenant)
    return joined.subscription.ready
  }

  rest(tenant: string | null): void {
    const joined = this.#joined.get(tenant)
    if (joined === undefined) return
    this.#clock.clearTimeout(joined.timer)
    joined.timer = this.#clock.setTimeout(() => {
      if (this.#feeds.has(tenant)) return
      this.#joined.delete(tenant)
      joined.subscription.close()
    }, RESTING_MS)
  }
}
