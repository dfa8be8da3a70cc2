import type { Feed } from '../streams/feed.ts'
import type { Frame } from '../streams/ring.ts'
import type { StreamClock } from '../streams/sink.ts'
import type { BusSubscription, LiveBus } from './api.ts'

/** How long the subscription to a tenant lasts without a reader, so that a reader that reconnects finds it, in milliseconds. */
const RESTING_MS = 10_000

interface Joined {
  readonly subscription: BusSubscription
  timer: unknown
}

/** Joins the feeds of this node with those of other nodes: a reader of a tenant gets the events of all nodes. */
export class JoinedFeeds {
  readonly #bus: LiveBus
  readonly #clock: Pick<StreamClock, 'setTimeout' | 'clearTimeout'>
  readonly #feeds: ReadonlyMap<string | null, Feed>
  readonly #joined = new Map<string | null, Joined>()

  constructor(
    bus: LiveBus,
    clock: Pick<StreamClock, 'setTimeout' | 'clearTimeout'>,
    feeds: ReadonlyMap<string | null, Feed>,
  ) {
    this.#bus = bus
    this.#clock = clock
    this.#feeds = feeds
  }

  /** Sends a frame to all nodes, including this one; false if the bus cannot send it. */
  publish(tenant: string | null, frame: Frame & { readonly topic: string }): boolean {
    return this.#bus.publish(tenant, frame)
  }

  /** Subscribes to a tenant. Resolves when all events published from then on arrive here. */
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
    // Needed also if no reader attaches, for example because the caller has too many streams.
    this.rest(tenant)
    return joined.subscription.ready
  }

  /** Ends the subscription after a while, unless the tenant has a reader then. */
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
