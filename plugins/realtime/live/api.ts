/** Entity-change streams for other plugins. Import types from here, and nothing else. */
import type { Feed } from '../streams/feed.ts'

/** What happened to an entity. */
export type EntityOperation = 'insert' | 'update' | 'delete'

/** One change of one entity, as the readers of its topic get it. */
export interface EntityEvent {
  readonly topic: string
  /** The id of the entity within its topic. */
  readonly identifier: string
  readonly operation: EntityOperation
  /** Any JSON value: the entity, its changes, or null. */
  readonly data: unknown
}

/** The audience of events: a tenant (null for callers without one), or one user of the tenant if `user` is given. */
export interface Audience {
  readonly tenant: string | null
  readonly user?: string | null
}

/** One entity of a snapshot. */
export interface SnapshotEntry {
  readonly identifier: string
  readonly data: unknown
}

/** Returns the present content of a topic, for a store that is about to follow its changes. */
export type TopicSnapshot = (
  reader: { readonly tenant: string | null; readonly user: string | null },
  /**
   * Call it at the moment at which the snapshot is consistent, such as right after the read transaction began. Events
   * published before it count as contained in the snapshot; later events are delivered after it. Without a call, the
   * moment is the call of the snapshot function.
   */
  mark: () => void,
) => Iterable<SnapshotEntry> | AsyncIterable<SnapshotEntry> | Promise<Iterable<SnapshotEntry>>

/** Options of a topic. */
export interface TopicOptions {
  /** Only callers with this scope get the events; without a scope, the whole audience. */
  readonly scope?: string
  /** True if the events concern one node alone. They are not sent to readers of other nodes. */
  readonly local?: boolean
}

/** The entity-change streams. */
export interface Live {
  /**
   * Registers a topic; its name is `[a-z][a-z0-9_.-]{0,63}`. With a snapshot, embedded stores can follow it from
   * scratch. From then on it is published in process alone, whatever `realtime.topics` says, so that no caller can
   * publish in place of the owner.
   */
  enroll(topic: string, snapshot?: TopicSnapshot, options?: TopicOptions): void
  /** Whether a reader of the tenant may exist. If not, an event for it need not be made. */
  hears(tenant: string | null): boolean
  /** Sends an event to the present readers of the audience. Throws `not_found` if the topic is not registered. */
  publish(audience: Audience, event: EntityEvent): void
  /** The registered topics. */
  readonly topics: readonly string[]
}

/** An entity event as nodes exchange it. */
export interface BusEvent {
  readonly topic: string
  /** The only user who may see the event; absent for everybody in the tenant. */
  readonly user?: string | null
  /** The bytes of the event in a stream. */
  readonly bytes: Uint8Array
}

/** The feed of a tenant on this node, as another node sees it. */
export interface TenantFeed {
  push(event: BusEvent): void
  /** Reports to every reader that an unknown number of events was missed. */
  lose(): void
}

/** The feeds of this node, joined with those of other nodes: a reader of a tenant gets the events of all nodes. */
export interface JoinedFeeds {
  /**
   * Sends an event to every node that listens, including this one. False if it cannot be sent; then no node gets it.
   */
  publish(tenant: string | null, event: BusEvent): boolean
  /**
   * Listens for a tenant. Resolves when all events published from then on arrive here, or when that cannot be confirmed
   * in time.
   */
  ready(tenant: string | null): Promise<void>
  /** Ends the listening after a while, unless the tenant has a reader then. */
  rest(tenant: string | null): void
}

/**
 * Carries entity events between the nodes of a cluster. Without a bus, a node has only its own events. Events of one
 * publisher arrive in order; events of several publishers interleave.
 */
export interface LiveBus {
  /** Whether other nodes cannot be reached now. */
  readonly away: boolean
  /** Joins the feeds of this node, by tenant, with those of other nodes. */
  join(feeds: ReadonlyMap<string | null, TenantFeed>): JoinedFeeds
}

/** The feeds of the tenants. */
export interface LiveFeeds {
  /** The registered topics. */
  readonly topics: readonly string[]
  /** The topics whose events a caller with these scopes does not get. */
  hiddenFrom(scopes: readonly string[]): ReadonlySet<string>
  /** The function that returns a topic's present content; undefined if the topic has none. */
  snapshotOf(topic: string): TopicSnapshot | undefined
  /**
   * If this returns a promise, await it before a reader is answered: from then on all published events reach this node.
   */
  ready(tenant: string | null): Promise<void> | undefined
  /** The feed of a tenant, for a reader about to attach. */
  feed(tenant: string | null): Pick<Feed, 'ring' | 'attach' | 'release'>
  /** Removes a feed that has no readers. */
  leave(tenant: string | null): void
}
