/** The entity-change streams for the other realtime features. */
import type { TopicSnapshot } from '../api.ts'
import type { Feed } from '../streams/feed.ts'

/** The feeds of the tenants. */
export interface LiveFeeds {
  /** The registered topics. */
  readonly topics: readonly string[]
  /** The topics whose events a caller with these scopes does not get. */
  hiddenFrom(scopes: readonly string[]): ReadonlySet<string>
  /** The function that returns a topic's present content; undefined if the topic has none. */
  snapshotOf(topic: string): TopicSnapshot | undefined
  /** If this returns a promise, await it before a reader is answered: from then on all published events reach this node. */
  ready(tenant: string | null): Promise<void> | undefined
  /** The feed of a tenant, for a reader about to attach. */
  feed(tenant: string | null): Pick<Feed, 'ring' | 'attach' | 'release'>
  /** Removes a feed that has no readers. */
  leave(tenant: string | null): void
}
