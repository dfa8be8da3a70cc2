import { httpFail } from '../../../core/catalogue.ts'
import type { Audience, EntityEvent, EntityOperation, Live, TopicOptions, TopicSnapshot } from '../api.ts'
import { sizeOf } from '../json-size.ts'
import { Feed } from '../streams/feed.ts'
import { encodeJson } from '../streams/sse.ts'
import type { LiveFeeds } from './api.ts'

/** The numbers of the entity streams. */
export interface LiveHubOptions {
  readonly soon: (run: () => void) => void
  /** What one tenant's stream holds for readers that are behind. */
  readonly maxEvents: number
  readonly maxBytes: number
  /** The same in bytes, while a reader gets a snapshot first. */
  readonly maxHeldBytes: number
  readonly maxEventBytes: number
  /** Topics known from the start. */
  readonly topics: readonly string[]
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
}

/**
 * The entity-change streams: one feed a tenant, there only while somebody in the tenant listens. A tenant's events,
 * their number and their sequence exist nowhere but in its own feed, so there is nothing to filter and nothing to leak.
 */
export class LiveHub implements Live, LiveFeeds {
  readonly #options: LiveHubOptions
  readonly #topics = new Map<string, Topic>()
  readonly #feeds = new Map<string | null, Feed>()

  constructor(options: LiveHubOptions) {
    this.#options = options
    for (const topic of options.topics) this.#topics.set(topic, { isOpen: true })
  }

  get topics(): readonly string[] {
    return [...this.#topics.keys()]
  }

  enroll(topic: string, snapshot?: TopicSnapshot, { scope }: TopicOptions = {}): void {
    if (!topicPattern.test(topic)) throw new TypeError(`not a topic name: ${JSON.stringify(topic)}`)
    const known = this.#topics.get(topic)
    // Enrolled again, it keeps its scope: a second enrolment opens nothing.
    this.#topics.set(topic, { isOpen: false, snapshot: snapshot ?? known?.snapshot, scope: known?.scope ?? scope })
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

  publish({ tenant, user }: Audience, event: EntityEvent): void {
    if (!this.#topics.has(event.topic)) throw httpFail('not_found', { message: 'No such topic.' })
    const { topic, identifier, operation, data } = event
    if (typeof identifier !== 'string' || identifier === '' || !operations.has(operation)) {
      throw httpFail('malformed_request', {
        message: 'identifier is a text that is not empty; operation is insert, update or delete.',
      })
    }
    if (sizeOf(data) === Number.POSITIVE_INFINITY) {
      throw httpFail('malformed_request', { message: 'data is nested too deep.' })
    }
    const bytes = encodeEntity(topic, identifier, operation, data)
    // Refused whether somebody listens or not: an answer that depends on others is no answer to build on.
    if (bytes.length > this.#options.maxEventBytes) throw httpFail('payload_too_large')
    this.#feeds.get(tenant)?.push({ bytes, topic, ...(user !== undefined && { user }) })
  }

  /** The feed of a tenant, for a reader about to attach. */
  feed(tenant: string | null): Feed {
    let feed = this.#feeds.get(tenant)
    if (feed === undefined) {
      const { maxEvents, maxBytes, maxHeldBytes, soon } = this.#options
      feed = new Feed({ maxFrames: maxEvents, maxBytes, maxHeldBytes, soon, log: false })
      this.#feeds.set(tenant, feed)
    }
    return feed
  }

  /** Lets a feed go that nobody reads any more. */
  leave(tenant: string | null): void {
    if (this.#feeds.get(tenant)?.readers === 0) this.#feeds.delete(tenant)
  }
}

/** One event of an entity stream, or of what the stream says of itself. */
export function encodeEntity(topic: string, identifier: string, operation: string, data: unknown): Uint8Array {
  return encodeJson({ topic, identifier, operation, data: data ?? null })
}

/** Tells a reader how many events it did not get. */
export function encodeLagged(dropped: number): Uint8Array {
  return encodeEntity(controlTopic, 'stream', 'lagged', { dropped })
}
