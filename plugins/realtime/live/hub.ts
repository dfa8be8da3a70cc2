import { httpFail } from '../../../core/kernel/catalogue.ts'
import { sizeFault } from '../../../core/kernel/values.ts'
import { sizeOf } from '../json-size.ts'
import { Feed } from '../streams/feed.ts'
import { encodeJson } from '../streams/sse.ts'
import type {
  Audience,
  EntityEvent,
  EntityOperation,
  JoinedFeeds,
  Live,
  LiveBus,
  LiveFeeds,
  TopicOptions,
  TopicSnapshot,
} from './api.ts'

/** The numbers of the entity streams. */
export interface LiveHubOptions {
  readonly soon: (run: () => void) => void
  /** Most events that the stream of a tenant keeps for slow readers. */
  readonly liveMaxEvents: number
  readonly liveMaxBytes: number
  /** The same in bytes, while a reader is still getting a snapshot. */
  readonly bridgeMaxBytes: number
  readonly maxEventBytes: number
  /** Topics that are registered from the start. */
  readonly topics: readonly string[]
  /** The bus between nodes. */
  readonly bus?: LiveBus | undefined
}

/** The topic of events about the stream itself. */
export const controlTopic = '$svc'

/** The form of topic names. */
export const topicPattern: RegExp = /^[a-z][a-z0-9_.-]{0,63}$/
const operations: ReadonlySet<unknown> = new Set<EntityOperation>(['insert', 'update', 'delete'])

interface Topic {
  readonly isOpen: boolean
  readonly snapshot?: TopicSnapshot | undefined
  readonly scope?: string | undefined
  readonly local?: boolean | undefined
}

/**
 * The entity-change streams: one feed per tenant, which exists only while the tenant has readers. The events of a
 * tenant, their number and their sequences are in its own feed alone, so that nothing can leak to other tenants.
 */
export class LiveHub implements Live, LiveFeeds {
  readonly #options: LiveHubOptions
  readonly #topics = new Map<string, Topic>()
  readonly #feeds = new Map<string | null, Feed>()
  readonly #joined: JoinedFeeds | undefined

  constructor(options: LiveHubOptions) {
    this.#options = options
    for (const topic of options.topics) this.#topics.set(topic, { isOpen: true })
    this.#joined = options.bus?.join(this.#feeds)
  }

  get topics(): readonly string[] {
    return [...this.#topics.keys()]
  }

  enroll(topic: string, snapshot?: TopicSnapshot, { scope, local }: TopicOptions = {}): void {
    if (!topicPattern.test(topic)) throw new TypeError(`not a topic name: ${JSON.stringify(topic)}`)
    const oldTopic = this.#topics.get(topic)
    // A topic that is registered again keeps its scope, so that a second registration cannot widen the audience.
    this.#topics.set(topic, {
      isOpen: false,
      snapshot: snapshot ?? oldTopic?.snapshot,
      scope: oldTopic?.scope ?? scope,
      local,
    })
  }

  /** Whether a topic is registered. */
  has(topic: string): boolean {
    return this.#topics.has(topic)
  }

  /** The function that returns a topic's present content; undefined if the topic has none. */
  snapshotOf(topic: string): TopicSnapshot | undefined {
    return this.#topics.get(topic)?.snapshot
  }

  /** Whether callers of the publishing route may publish to a topic: only if no plugin has registered it. */
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
    // Refused with and without readers, so that the answer does not depend on other clients.
    if (bytes.length > this.#options.maxEventBytes)
      throw httpFail('payload_too_large', { message: sizeFault('An event', this.#options.maxEventBytes, bytes.length) })
    const frame = { bytes, topic, ...(user !== undefined && { user }) }
    // What the bus takes comes back like the events of other nodes, so that there is one order of events.
    if (this.#topics.get(topic)!.local !== true && this.#joined?.publish(tenant, frame) === true) return
    this.#feeds.get(tenant)?.push(frame)
  }

  /** Whether events cannot reach the readers of other nodes now. */
  get away(): boolean {
    return this.#options.bus?.away === true
  }

  ready(tenant: string | null): Promise<void> | undefined {
    return this.#joined?.ready(tenant)
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

  /** Removes a feed that has no readers. */
  leave(tenant: string | null): void {
    if (this.#feeds.get(tenant)?.readers !== 0) return
    this.#feeds.delete(tenant)
    this.#joined?.rest(tenant)
  }
}

/** One event of an entity stream, or one about the stream itself. */
export function encodeEntity(topic: string, identifier: string, operation: string, data: unknown): Uint8Array {
  return encodeJson({ topic, identifier, operation, data: data ?? null })
}

/** The event that tells a reader how many events it missed; null for an unknown number, which is passed as Infinity. */
export function encodeLagged(dropped: number): Uint8Array {
  return encodeEntity(controlTopic, 'stream', 'lagged', { dropped })
}
