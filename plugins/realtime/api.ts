/** What the realtime plugin offers to others in process. Import types from here, nothing else. */
import type { Awaitable } from '../../core/awaitable.ts'
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
  /** True for what one node alone knows of: it is never told to readers of another. */
  readonly local?: boolean
}

/** The entity-change streams. */
export interface Live {
  /**
   * Makes a topic known; a name `[a-z][a-z0-9_.-]{0,63}`. With a snapshot, embedded stores can follow it from scratch. From
   * here on it is published in process alone, whatever `realtime.topics` says: nobody else may speak for its owner.
   */
  enroll(topic: string, snapshot?: TopicSnapshot, options?: TopicOptions): void
  /** Whether anybody of a tenant could get an event now, as far as this node knows; where not, it need not be made. */
  hears(tenant: string | null): boolean
  /** Sends an event to everybody of the audience who listens now. Throws `not_found` where the topic is not enrolled. */
  publish(audience: Audience, event: EntityEvent): void
  /** The topics known. */
  readonly topics: readonly string[]
}

/** An entity event on its way between nodes: what its readers get, and who may see it. */
export interface BusEvent {
  readonly topic: string
  /** The only user who sees it; absent for everybody in the tenant. */
  readonly user?: string | null
  /** The event as a stream carries it. */
  readonly bytes: Uint8Array
}

/** Who listens to a tenant. */
export interface BusListener {
  event(event: BusEvent): void
  /** Events were missed; nobody knows how many. */
  lost(): void
}

/** A tenant that is listened to. */
export interface BusSubscription {
  /** Resolves when everything published from then on is heard, or when that cannot be had in time. */
  readonly ready: Promise<void>
  close(): void
}

/**
 * Carries entity events between the nodes of a cluster; without one, a node has its own alone. Events of one publisher
 * arrive in their order, those of several in any.
 */
export interface LiveBus {
  /** Whether nothing reaches the other nodes now. */
  readonly away: boolean
  /** Sends an event to every node that listens, this one too. False where it cannot be sent: then nobody gets it. */
  publish(tenant: string | null, event: BusEvent): boolean
  subscribe(tenant: string | null, listener: BusListener): BusSubscription
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
  /** Names who numbered the events: this process, or in a cluster the run's own beginning. */
  readonly epoch: string
}

/** The runs of this process, or of its cluster; only there anything has to be waited for. */
export interface Runs {
  /** Throws `run_exists`, `rate_limited`, `malformed_request`. */
  create(owner: RunOwner, options?: { readonly run_id?: string; readonly thread_id?: string }): Awaitable<RunRecord>
  /**
   * Appends AG-UI 1.0 events, all or none. `match` is `"<epoch>-<seq>"`, the position that they are meant to follow: where
   * they stand behind it already, nothing is done. Throws `not_found`, `malformed_request`, `run_event_order`,
   * `run_position_mismatch`, `payload_too_large`; in a cluster also `overloaded` and `append_unknown`.
   */
  append(owner: RunOwner, runId: string, events: readonly unknown[], match?: string): Awaitable<RunRecord>
  /** Undefined where this owner has no such run. */
  get(owner: RunOwner, runId: string): Awaitable<RunRecord | undefined>
  /** The owner's runs, newest first. */
  list(owner: RunOwner): Awaitable<readonly RunRecord[]>
}

/** Which run is meant. */
export interface RunName {
  readonly owner: RunOwner
  readonly run_id: string
}

/** What is said of a run with every batch of events. */
export interface RunHead {
  /** Names the batch, so that it is known again where its acknowledgement was lost. */
  readonly id: string
  /** The run as it is after the batch. */
  readonly record: RunRecord
  /** About how many bytes of memory it takes then. */
  readonly bytes: number
  /** True where this is the end of all that is retained of it. */
  readonly gone: boolean
}

/** A head in the store. Positions rise from append to append, and mean nothing else. */
export interface StoredHead extends RunHead {
  readonly position: number
}

/** What became of an append: `moved` and `refused` mean surely not written, `unknown` that nobody can say. */
export type RunAppended =
  | { readonly is: 'written'; readonly position: number }
  | { readonly is: 'moved' | 'refused' | 'unknown' }

/** Where a log begins that has lost its oldest events: what a run was after `sequence`, as text. */
export interface RunBase {
  readonly epoch: string
  readonly sequence: number
  readonly point: string
}

/** Who follows one run. */
export interface RunFollower {
  /** One append, in order, those that were there first; its events are JSON texts. */
  batch(head: StoredHead, events: readonly string[]): void
  /** One of many that were there, where a later one says how the run is. Absent where the head of each is wanted. */
  earlier?(position: number, events: readonly string[]): void
  /** It cannot be followed on without a gap. */
  lost(): void
}

/** Who follows the heads of all runs. */
export interface RunsWatcher {
  /** The newest of each run is about to be told, as at the beginning: what is not told until `complete` is not there. */
  begin(): void
  head(head: StoredHead): void
  complete(): void
}

/** Something that is followed. */
export interface RunFollowing {
  /** Asks for what is missing, where something should have come and did not. */
  renew(): void
  close(): void
}

/**
 * Keeps the logs of runs for all nodes of a cluster; without one, a run is in the memory of its process and nowhere else.
 * Whoever reads a run holds a copy of it, that follows the store.
 */
export interface RunStore {
  /** Whether it cannot be reached now. */
  readonly away: boolean
  /** Most bytes that the events of one append may have. */
  readonly maxBatchBytes: number
  /**
   * Appends if the newest position of the run is `expected`; 0 stands for a run of which the store has nothing. Answers within
   * `limitMs`, by default within a limit of the store.
   */
  append(run: RunHead, events: readonly string[], expected: number, limitMs?: number): Promise<RunAppended>
  /** Where the log of a run begins; undefined where it is whole. */
  read(run: RunName): Promise<RunBase | undefined>
  /** Tells what there is of a run after a position, and what comes. */
  follow(run: RunName, after: number, follower: RunFollower): RunFollowing
  /** Follows all runs, which may take so many bytes together; called once, before the start. */
  watch(watcher: RunsWatcher, maxBytes: number): void
  /** Resolves once the watcher was told of all that was appended before the call; rejects where the store is away. */
  current(): Promise<void>
  /** Keeps where a log begins, then lets go what is before a position. */
  keep(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>, from: number): Promise<void>
  /** Lets go of what is left of a run that is gone. */
  forget(run: RunName, position: number): Promise<void>
  /** Whether this node is the one that cares for what nobody uses; to be asked again and again. */
  lease(): Promise<boolean>
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
