import { httpFail } from '../../../core/catalogue.ts'
import type { Audience, EntityEvent, EntityOperation, Live, LiveBus, TopicOptions, TopicSnapshot } from '../api.ts'
import { sizeOf } from '../json-size.ts'
import { Feed } from '../streams/feed.ts'
import type { StreamClock } from '../streams/sink.ts'
import { encodeJson } from '../streams/sse.ts'
import type { LiveFeeds } from './api.ts'
import { JoinedFeeds } from './joined-feeds.ts'

declare const __CLUSTER_NATS__: boolean

/** The numbers of the entity streams. */
export interface LiveHubOptions {
  readonly soon: (run: () => void) => void
  /** What one tenant's stream holds for readers that are behind. */
  readonly liveMaxEvents: number
  readonly liveMaxBytes: number
  /** The same in bytes, while a reader gets a snapshot first. */
  readonly bridgeMaxBytes: number
  readonly maxEventBytes: number
  /** Topics known from the start. */
  readonly topics: readonly string[]
  /** What joins the streams of several nodes, and the timers that its subscriptions need. */
  readonly bus?: LiveBus | undefined
  readonly clock: Pick<StreamClock, 'setTimeout' | 'clearTimeout'>
}

/** The topic of what the stream says of itself. */
export const controlTopic = '$svc'

/** What a topic may be called. */
export const topicPattern: RegExp = /^[a-z][a-z0-9_.-]{0,63}$/
const operations: ReadonlySet<unknown> = new Set<EntityOperation>(['insert', 'update', 'delete'])

interface Topic {
  readonly isOpen: boolean
  readonly snapshot?: TopicSnapshot | undefined
  readonly scope?: string | undefined
  readonly local?: boolean | undefined
}

/**
 * The entity-change streams: one feed a tenant, there only while somebody in the tenant listens. A tenant's events,
 * their number and their sequence exist nowhere but in its own feed, so there is nothing to filter and nothing to leak.
 */
export class LiveHub implements Live, LiveFeeds {
  readonly #options: LiveHubOptions
  readonly #topics = new Map<string, Topic>()
  readonly #feeds = new Map<string | null, Feed>()
  readonly #joined: JoinedFeeds | undefined

  constructor(options: LiveHubOptions) {
    this.#options = options
    for (const topic of options.topics) this.#topics.set(topic, { isOpen: true })
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__)
      if (options.bus !== undefined) this.#joined = new JoinedFeeds(options.bus, options.clock, this.#feeds)
  }

  get topics(): readonly string[] {
    return [...this.#topics.keys()]
  }

  enroll(topic: string, snapshot?: TopicSnapshot, { scope, local }: TopicOptions = {}): void {
    if (!topicPattern.test(topic)) throw new TypeError(`not a topic name: ${JSON.stringify(topic)}`)
    const known = this.#topics.get(topic)
    // Enrolled again, it keeps its scope: a second enrolment opens nothing.
    this.#topics.set(topic, {
      isOpen: false,
      snapshot: snapshot ?? known?.snapshot,
      scope: known?.scope ?? scope,
      local,
    })
  }

  /** Whether a topic is known. */
  has(topic: string): boolean {
    return this.#topics.has(topic)
  }

  /** What gives a topic's present content; undefined where nothing does. */
  snapshotOf(topic: string): TopicSnapshot | undefined {
    return this.#topics.get(topic)?.snapshot
  }

  /** Whether callers of the publishing route may publish to it: only where no plugin has made it its own. */
  isOpen(topic: string): boolean {
    return this.#topics.get(topic)?.isOpen === true
  }

  hiddenFrom(scopes: readonly string[]): ReadonlySet<string> {
    const hidden = new Set<string>()
    for (const [topic, { scope }] of this.#topics) if (scope !== undefined && !scopes.includes(scope)) hidden.add(topic)
    return hidden
  }

  hears(tenant: string | null): boolean {
    return this.#joined !== undefined || this.#feeds.has(tenant)
  }

  publish({ tenant, user }: Audience, event: EntityEvent): void {
    if (!this.#topics.has(event.topic)) throw httpFail('not_found', { message: 'No such topic.' })
    const { topic, identifier, operation, data } = event
    if (typeof identifier !== 'string' || identifier === '' || !operations.has(operation)) {
      throw httpFail('malformed_request', {
        message: 'identifier is a text that is not empty; operation is insert, update or delete.',
      })
    }
    if (sizeOf(data) === Infinity) {
      throw httpFail('malformed_request', { message: 'data is nested too deep.' })
    }
    const bytes = encodeEntity(topic, identifier, operation, data)
    // Refused whether somebody listens or not: an answer that depends on others is no answer to build on.
    if (bytes.length > this.#options.maxEventBytes) throw httpFail('payload_too_large')
    const frame = { bytes, topic, ...(user !== undefined && { user }) }
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__)
      if (this.#topics.get(topic)!.local !== true && this.#joined?.publish(tenant, frame) === true)
        // What was sent comes back like what others send, so that there is one order for it.
        return
    this.#feeds.get(tenant)?.push(frame)
  }

  /** Whether events do not reach the readers of other nodes now. */
  get away(): boolean {
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__) return this.#options.bus?.away === true
    return false
  }

  ready(tenant: string | null): Promise<void> | undefined {
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__) return this.#joined?.ready(tenant)
    return undefined
  }

  /** The feed of a tenant, for a reader about to attach. */
  feed(tenant: string | null): Feed {
    let feed = this.#feeds.get(tenant)
    if (feed === undefined) {
      const { liveMaxEvents, liveMaxBytes, bridgeMaxBytes, soon } = this.#options
      feed = new Feed({
        maxFrames: liveMaxEvents,
        maxBytes: liveMaxBytes,
        maxHeldBytes: bridgeMaxBytes,
        soon,
        log: false,
      })
      this.#feeds.set(tenant, feed)
    }
    return feed
  }

  /** Lets a feed go that nobody reads any more. */
  leave(tenant: string | null): void {
    if (this.#feeds.get(tenant)?.readers !== 0) return
    this.#feeds.delete(tenant)
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__) this.#joined?.rest(tenant)
  }
}

/** One event of an entity stream, or of what the stream says of itself. */
export function encodeEntity(topic: string, identifier: string, operation: string, data: unknown): Uint8Array {
  return encodeJson({ topic, identifier, operation, data: data ?? null })
}

/** Tells a reader how many events it did not get; null where that is infinite, which stands for: nobody knows. */
export function encodeLagged(dropped: number): Uint8Array {
  return encodeEntity(controlTopic, 'stream', 'lagged', { dropped })
}
