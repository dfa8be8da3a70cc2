import type { BusSubscription, LiveBus } from '../api.ts'
import type { Feed } from '../streams/feed.ts'
import type { Frame } from '../streams/ring.ts'
import type { StreamClock } from '../streams/sink.ts'

/** How long a tenant is still listened to without a reader: one that comes back, or was about to come, finds it. */
const RESTING_MS = 10_000

interface Joined {
  readonly subscription: BusSubscription
  timer: unknown
}

/** The feeds of a node as parts of streams that several nodes share: who reads a tenant here hears all nodes. */
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

  /** Sends a frame to all nodes, this one too; false where that is not to be had. */
  publish(tenant: string | null, frame: Frame & { readonly topic: string }): boolean {
    return this.#bus.publish(tenant, frame)
  }

  /** Listens to a tenant; resolves when what is published from then on comes here. */
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
    // Also where nobody comes after all, such as a caller who has too many streams.
    this.rest(tenant)
    return joined.subscription.ready
  }

  /** Stops to listen in a while, unless somebody reads then. */
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
