/** What the realtime plugin offers to others in process. Import types from here, nothing else. */
import type { LiveHub } from './live/hub.ts'
import type { Keeper } from './streams/keeper.ts'

/** What happened to an entity. */
export type EntityOperation = 'insert' | 'update' | 'delete'

/** One change of one entity, as every reader of its topic gets it. */
export interface EntityEvent {
  readonly topic: string
  /** Names the entity within its topic. */
  readonly identifier: string
  readonly operation: EntityOperation
  /** Any JSON value: the entity, what changed of it, or null. */
  readonly data: unknown
}

/** Whose events: a tenant (null for callers without one), and within it one user where `user` is given. */
export interface Audience {
  readonly tenant: string | null
  readonly user?: string | null
}

/** One entity of a snapshot. */
export interface SnapshotEntry {
  readonly identifier: string
  readonly data: unknown
}

/** Gives what a topic holds at this moment, for a store that is about to follow its changes. */
export type TopicSnapshot = (
  reader: { readonly tenant: string | null; readonly user: string | null },
  /**
   * To be called at the moment at which the snapshot is consistent, such as right after the read transaction began:
   * what was published before counts as contained in it, what is published after is delivered after it. Where it is
   * never called, that moment is the call of the function itself.
   */
  mark: () => void,
) => Iterable<SnapshotEntry> | AsyncIterable<SnapshotEntry> | Promise<Iterable<SnapshotEntry>>

/** The entity-change streams. */
export interface Live {
  /** Makes a topic known; a name `[a-z][a-z0-9_.-]{0,63}`. With a snapshot, embedded stores can follow it from scratch. */
  enroll(topic: string, snapshot?: TopicSnapshot): void
  /** Sends an event to everybody of the audience who listens now. Throws `not_found` where the topic is not enrolled. */
  publish(audience: Audience, event: EntityEvent): void
  /** The topics known. */
  readonly topics: readonly string[]
}

/** Who owns a run. */
export interface RunOwner {
  readonly user_id: string | null
  readonly tenant_id: string | null
}

/** Where a run is in its life. */
export type RunStatus = 'running' | 'finished' | 'failed' | 'cancelled'

/** A run as the interface shows it. */
export interface RunRecord {
  readonly run_id: string
  readonly thread_id: string
  readonly owner: RunOwner
  readonly status: RunStatus
  /** Unix time in milliseconds. */
  readonly created_at_ms: number
  readonly ended_at_ms: number | null
  /** Sequence of the oldest event retained; one more than `last_seq` where there is none. */
  readonly first_seq: number
  /** Sequence of the newest event; 0 before the first. */
  readonly last_seq: number
  /** Names the process that numbered the events. */
  readonly epoch: string
}

/** The runs of this process. */
export interface Runs {
  /** Throws `run_exists`, `rate_limited`, `malformed_request`. */
  create(owner: RunOwner, options?: { readonly run_id?: string; readonly thread_id?: string }): RunRecord
  /** Appends AG-UI 1.0 events, all or none. Throws `not_found`, `malformed_request`, `run_event_order`, `payload_too_large`. */
  append(owner: RunOwner, runId: string, events: readonly unknown[]): RunRecord
  /** Undefined where this owner has no such run. */
  get(owner: RunOwner, runId: string): RunRecord | undefined
  /** The owner's runs, newest first. */
  list(owner: RunOwner): readonly RunRecord[]
}

declare module '../../core/plugin.ts' {
  interface Capabilities {
    /** Entity-change streams: publish, enrol topics. */
    Live: Live
    /** Runs of this process. */
    Runs: Runs
    /** Admission and care of event streams: limits, heartbeats, ages. */
    Streams: Keeper
    /** The entity-change streams as the other features of this plugin read them. */
    LiveHub: LiveHub
  }
}
