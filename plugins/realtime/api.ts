/** What the realtime plugin offers to others in process. Import types from here, nothing else. */
import type { StreamSink } from '../../core/http/reply.ts'
import type { SvcRequest } from '../../core/http/request.ts'

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

/** What else holds for a topic. */
export interface TopicOptions {
  /** Only callers with this scope hear of it; without one, everybody in the audience. */
  readonly scope?: string
}

/** The entity-change streams. */
export interface Live {
  /**
   * Makes a topic known; a name `[a-z][a-z0-9_.-]{0,63}`. With a snapshot, embedded stores can follow it from scratch. From
   * here on it is published in process alone, whatever `realtime.topics` says: nobody else may speak for its owner.
   */
  enroll(topic: string, snapshot?: TopicSnapshot, options?: TopicOptions): void
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

/** What kind of stream is opened. */
export interface StreamKind {
  /** As the metrics name it. */
  readonly name: string
  /** A log never skips, so a reader of one that stands still is cut; an entity stream skips instead. */
  readonly log: boolean
  /** The event that the stream says goodbye with where it is ended from here: by its age, a drain, a credential's end. */
  readonly last?: Uint8Array
}

/** One open stream reply. */
export interface OpenStream {
  /** True from the moment the transport said "enough" until it drained. */
  readonly blocked: boolean
  readonly closed: boolean
  /** Whether everything given to `sendFirst` has been handed over and the client keeps up. */
  readonly ready: boolean
  /** Hands one piece to the transport; false when nothing more may follow until `onResume`. */
  send(chunk: Uint8Array): boolean
  /** Queues bytes that go out, in order, before anything that `onResume` sends. */
  sendFirst(chunk: Uint8Array): void
  /** Resolves when everything given to `sendFirst` is handed over and the client keeps up, or when it is gone. */
  caughtUp(): Promise<void>
  /** Called whenever the client can take more; at most one listener. */
  onResume(listener: () => void): void
  /** Called once when the stream ended or the client is gone. */
  onClose(listener: () => void): void
  /** Ends the reply cleanly: a client may come back at once. */
  end(last?: Uint8Array): void
}

/** Admits event streams, and cares for them: limits, heartbeats, ages. */
export interface Streams {
  /** How many streams are open or about to be. */
  readonly size: number
  /**
   * Reserves the place of one more stream; the function it gives takes the sink and sends the opening bytes. It must be
   * called exactly once, as `stream` of a reply is: the place is given back when the sink closes.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admit(request: SvcRequest, kind: StreamKind): (sink: StreamSink) => OpenStream
  /** Counts events that a reader of an entity stream did not get; those of one go of work are told together. */
  dropped(stream: string, events: number): void
}
