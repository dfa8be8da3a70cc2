/** The entity-change streams as the other realtime features read them. */
import type { TopicSnapshot } from '../api.ts'
import type { Feed } from '../streams/feed.ts'

/** The feeds of the tenants. */
export interface LiveFeeds {
  /** The topics known. */
  readonly topics: readonly string[]
  /** The topics that a caller with these scopes hears nothing of. */
  hiddenFrom(scopes: readonly string[]): ReadonlySet<string>
  /** What gives a topic's present content; undefined where nothing does. */
  snapshotOf(topic: string): TopicSnapshot | undefined
  /** The feed of a tenant, for a reader about to attach. */
  feed(tenant: string | null): Pick<Feed, 'ring' | 'attach' | 'release'>
  /** Lets a feed go that nobody reads any more. */
  leave(tenant: string | null): void
}
