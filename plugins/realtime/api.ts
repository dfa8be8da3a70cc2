/** The interfaces of the realtime features for other plugins. Import types from here, and nothing else. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { Reply, StreamSink } from '../../core/http/reply.ts'
import type { SvcRequest, TraceContext } from '../../core/http/request.ts'

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
   * Call it at the moment at which the snapshot is consistent, such as right after the read transaction began. Events published
   * before it count as contained in the snapshot; later events are delivered after it. Without a call, the moment is the call of
   * the snapshot function.
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
   * Registers a topic; its name is `[a-z][a-z0-9_.-]{0,63}`. With a snapshot, embedded stores can follow it from scratch. From then
   * on it is published in process alone, whatever `realtime.topics` says, so that no caller can publish in place of the owner.
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

/** A listener to the events of a tenant. */
export interface BusListener {
  event(event: BusEvent): void
  /** Called when an unknown number of events was missed. */
  lost(): void
}

/** A subscription to the events of a tenant. */
export interface BusSubscription {
  /** Resolves when every event that is published from then on arrives, or when that cannot be confirmed in time. */
  readonly ready: Promise<void>
  close(): void
}

/**
 * Carries entity events between the nodes of a cluster. Without a bus, a node has only its own events. Events of one publisher
 * arrive in order; events of several publishers interleave.
 */
export interface LiveBus {
  /** Whether other nodes cannot be reached now. */
  readonly away: boolean
  /** Sends an event to every node that listens, including this one. False if it cannot be sent; then no node gets it. */
  publish(tenant: string | null, event: BusEvent): boolean
  subscribe(tenant: string | null, listener: BusListener): BusSubscription
}

/** Who owns a run. */
export interface RunOwner {
  readonly user_id: string | null
  readonly tenant_id: string | null
}

/** The status of a run. */
export type RunStatus = 'running' | 'finished' | 'failed' | 'cancelled'

/** Why a run failed. */
export interface RunError {
  /** The code of its RUN_ERROR; null if that has none. */
  readonly code: string | null
  /** The message of its RUN_ERROR, at most 512 characters of it. */
  readonly message: string
}

/** A run as the API shows it. */
export interface RunRecord {
  readonly run_id: string
  readonly thread_id: string
  readonly owner: RunOwner
  readonly status: RunStatus
  /** Unix time in milliseconds. */
  readonly created_at_ms: number
  readonly ended_at_ms: number | null
  /** Sequence of the oldest retained event; `last_seq` + 1 if none is retained. */
  readonly first_seq: number
  /** Sequence of the newest event; 0 before the first. */
  readonly last_seq: number
  /** The epoch of the sequences: of this process, or in a cluster of the beginning of the run. */
  readonly epoch: string
  /** The agent whose answer this run is (`realtime.agents`); null for a run to which its owner appends. */
  readonly agent: string | null
  /** Null unless the run has failed, and of a run that failed under a version of svc that did not keep this. */
  readonly error: RunError | null
}

/** What the creator of a run chooses; ids that are absent are drawn. */
export type RunWish = Partial<Pick<RunRecord, 'run_id' | 'thread_id' | 'agent'>>

/** Which owners: all that have these members. Without a member: all of every tenant. */
export type RunOwners = Partial<RunOwner>

/** Which runs of a list. */
export interface RunsQuery {
  readonly status?: RunStatus
  readonly thread_id?: string
  /** Of several owners, the runs with this id. */
  readonly run_id?: string
  /** Most runs of a page; without it all. */
  readonly limit?: number
  /** The `next` of an earlier page: runs that are older than those of that page. */
  readonly before?: string
}

/** A page of a list of runs. */
export interface RunsPage {
  /** Newest first, by `created_at_ms`, tenant, user and `run_id`. */
  readonly runs: readonly RunRecord[]
  /** The `before` of the next page; null if this one is the last. */
  readonly next: string | null
}

/** The runs of this process, or of its cluster. Promises are returned in a cluster only. */
export interface Runs {
  /** Throws `run_exists`, `rate_limited`, `malformed_request`. */
  create(owner: RunOwner, options?: RunWish): Awaitable<RunRecord>
  /**
   * Appends AG-UI 1.0 events, all or none; optional members that are null are removed from them. `match` is `"<epoch>-<seq>"`, the position that they are to follow. If
   * they follow it already, nothing is done. Throws `not_found`, `malformed_request`, `run_event_order`,
   * `run_position_mismatch`, `payload_too_large`; in a cluster also `overloaded` and `append_unknown`.
   */
  append(owner: RunOwner, runId: string, events: readonly unknown[], match?: string): Awaitable<RunRecord>
  /** Undefined if this owner has no such run. */
  get(owner: RunOwner, runId: string): Awaitable<RunRecord | undefined>
  /** The owner's runs, newest first. */
  list(owner: RunOwner): Awaitable<readonly RunRecord[]>
  /** A page of the runs of one or more owners. Throws `malformed_request` for an invalid `before`. */
  page(owners: RunOwners, query: RunsQuery): Awaitable<RunsPage>
  /**
   * Ends the owner's runs as cancelled and removes all of them; returns how many there were. Throws `overloaded`; what is left then is
   * removed by another call.
   */
  erase(owner: RunOwner): Awaitable<number>
}

/** Runs to which this service itself appends what an agent sends. */
export interface AgentRuns {
  /**
   * Creates a run with its RUN_STARTED. Until `release`, its owner may not append to it (`run_event_order`).
   * @throws SvcError as `Runs.create` and `Runs.append`
   */
  begin(owner: RunOwner, wish: Required<RunWish>, started: object): Promise<AgentRun>
  /** The RUN_STARTED of a run, without its input; undefined if this owner has no such run, or it has none. */
  started(owner: RunOwner, runId: string): Promise<Readonly<Record<string, unknown>> | undefined>
  /**
   * Opens the stream of a run from its first event. It ends cleanly only with the run.
   * @throws SvcError `not_found`, `rate_limited`, `overloaded`
   */
  open(request: SvcRequest, owner: RunOwner, runId: string): Awaitable<Reply>
}

/** A run to which only this service appends. */
export interface AgentRun {
  readonly record: RunRecord
  /** Aborted when the run has ended, whoever ended it. */
  readonly ended: AbortSignal
  /** Aborted when this node cannot show other nodes that it is there. They may end the run soon after. */
  readonly lost: AbortSignal
  /** Whether anybody reads it, on any node. A last reader whose stream the service has ended counts, because it may come back. */
  isRead(): Promise<boolean>
  /** Appends events behind those that it has appended so far. An append whose outcome is unknown may be repeated. @throws SvcError as `Runs.append` */
  append(events: readonly unknown[]): Promise<RunRecord>
  release(): void
}

/** The name of a run. */
export interface RunName {
  readonly owner: RunOwner
  readonly run_id: string
}

/** The description of a run that is stored with every batch of events. */
export interface RunHead {
  /** The id of the batch, by which it is found if its acknowledgement was lost. */
  readonly id: string
  /** The run as it is after the batch. */
  readonly record: RunRecord
  /** About how many bytes of memory the run takes after the batch. */
  readonly bytes: number
  /** True if the run is removed: this head is the mark of the removal. */
  readonly gone: boolean
  /** The node that calls the agent of the run, in a cluster; absent once the run is over, and for runs of their owners. */
  readonly caller?: string
}

/** A head in the store. Positions rise from append to append and may have gaps. */
export interface StoredHead extends RunHead {
  readonly position: number
}

/**
 * The outcome of an append: `refused` means certainly not written, `unknown` means that either is possible. `moved` means that
 * `expected` is not the newest position any more: another append is behind it, or this one, if its acknowledgement was lost.
 * `unreadable` means that the store has a damaged run of this name.
 */
export type RunAppended =
  | { readonly is: 'written'; readonly position: number }
  /** `cause` is the error of the store, from which the caller learns of a full disk. */
  | { readonly is: 'refused'; readonly cause?: unknown }
  | { readonly is: 'moved' | 'unreadable' | 'unknown' }

/** The base of a log that has lost its oldest events: the state of the run after `sequence`, as text. */
export interface RunBase {
  readonly epoch: string
  readonly sequence: number
  readonly point: string
}

/** A follower of one run. */
export interface RunFollower {
  /** How many streams it serves now. */
  readonly readers?: number
  /** Called for each append in order, stored ones first. Events are JSON texts. */
  batch(head: StoredHead, events: readonly string[]): void
  /**
   * Called instead of `batch` for stored appends, which then come without their heads; the head of a later append includes what they
   * say. A follower that needs every head does not have it.
   */
  earlier?(position: number, events: readonly string[]): void
  /** Called when the run cannot be followed without a gap. */
  lost(): void
}

/** A follower of the heads of all runs. */
export interface RunsWatcher {
  /** The least position of the newest heads of all runs; infinite if there is no run. */
  readonly oldest: number
  /** Begins a replay of the newest head of each run. A run without a head until `complete` does not exist any more. */
  begin(): void
  head(head: StoredHead): void
  complete(): void
}

/** A run that is followed. */
export interface RunFollowing {
  /** Reads anew from the last position, if an append should have come and did not. */
  renew(): void
  close(): void
}

/** The readers that other nodes have. */
export type ReadersElsewhere = 'some' | 'none' | 'ended'

/** The nodes of a cluster that call agents. */
export interface Callers {
  /** The name of this node: another one in each process. */
  readonly own: string
  /** Shows that this node is there. Resolves once the store has taken that. */
  renew(): Promise<void>
  /** A number that each renewal of a node changes; 0 before the first. */
  markOf(node: string): Promise<number>
  /** Removes what the store has of a node that is gone. */
  forget(node: string): Promise<void>
  /** Whether other nodes have readers of a run; a node that does not answer has none. `ended` if the last ones were cut by a stop of their node. */
  readersElsewhere(run: RunName): Promise<ReadersElsewhere>
}

/**
 * Keeps the logs of runs outside of the memory of one process: for all nodes of a cluster, or over restarts of one node. Without a
 * store, a run is in the memory of its process alone. A node that reads a run has a copy of it that follows the store.
 */
export interface RunStore {
  /** Whether the store cannot be reached now. */
  readonly away: boolean
  /** Most bytes that the events of one append may have. */
  readonly maxBatchBytes: number
  /**
   * Set if all who append to the runs ended with the last process: time after a start, in milliseconds, in which a run that was
   * running needs an event. Otherwise it is ended.
   */
  readonly orphanAfterMs?: number
  /** Set if several nodes share the store. */
  readonly callers?: Callers
  /**
   * Appends if the newest position of the run is `expected`; 0 stands for a run of which the store has nothing. Answers within
   * `limitMs`, by default within a limit of the store. `trace` is that of the request, for stores that reach other nodes.
   */
  append(
    run: RunHead,
    events: readonly string[],
    expected: number,
    limitMs?: number,
    trace?: TraceContext,
  ): Promise<RunAppended>
  /** The base of the log of a run; undefined if the log is complete. */
  read(run: RunName): Promise<RunBase | undefined>
  /** Follows a run: delivers the appends after a position, stored and new. */
  follow(run: RunName, after: number, follower: RunFollower): RunFollowing
  /** Follows the heads of all runs, which may take `maxBytes` together; called once, before the start. */
  watch(watcher: RunsWatcher, maxBytes: number): void
  /** Resolves once the watcher has everything that was appended before the call; rejects if the store is away. */
  current(): Promise<void>
  /**
   * Reads everything anew. To be called when appends behind the newest known position are refused again and again: what this node
   * has seen is not what the store has.
   */
  readAnew?(): void
  /** Writes the base of a log, then removes the appends before a position. */
  keep(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>, from: number): Promise<void>
  /** Deletes the rest of a removed run, up to and including a position. */
  forget(run: RunName, position: number): Promise<void>
  /** Whether this node holds the lease of old runs, which it has to renew by calling again and again. */
  lease(): Promise<boolean>
}

/** What kind of stream is opened. */
export interface StreamKind {
  /** The name in metrics. */
  readonly name: string
  /** A log skips no events, so the connection of a slow reader is closed; an entity stream skips events instead. */
  readonly log: boolean
  /** The last event of a stream that the server ends: because of its age, a drain, or the end of its credential. */
  readonly last?: Uint8Array
  /**
   * True if its reader takes a clean end for the end of the content. Then it has no age, and whatever else ends it early breaks the
   * connection.
   */
  readonly whole?: boolean
  /** Whether a drain does not end the stream now, because its content ends soon: the stop after the drain ends it. */
  readonly stays?: () => boolean
}

/** One open stream reply. */
export interface OpenStream {
  /** True while the transport has more bytes than its high-water mark. */
  readonly blocked: boolean
  readonly closed: boolean
  /** Whether the service ended the stream before its content has ended. */
  readonly interrupted?: boolean | undefined
  /** Whether everything of `sendFirst` is with the transport and the client keeps up. */
  readonly ready: boolean
  /** Passes one chunk to the transport; false if no more may follow until `onResume`. */
  send(chunk: Uint8Array): boolean
  /** Queues bytes that are sent, in order, before anything that `onResume` sends. */
  sendFirst(chunk: Uint8Array): void
  /** Resolves when everything of `sendFirst` is with the transport and the client keeps up, or when the client is gone. */
  caughtUp(): Promise<void>
  /** Called whenever the client can take more; at most one listener. */
  onResume(listener: () => void): void
  /** Called once when the stream ended or the client is gone. */
  onClose(listener: () => void): void
  /** Ends the reply cleanly, because the content has ended. */
  end(): void
  /** Ends the reply before the content has ended: cleanly, so that the client may reconnect at once, or else by breaking the connection. */
  interrupt(last?: Uint8Array): void
}

/** Admits event streams and maintains them: limits, heartbeats, ages. */
export interface Streams {
  /** The number of streams that are open or admitted. */
  readonly size: number
  /** Whether the service stops: no stream is admitted any more, and those that stay end with their content. */
  readonly draining: boolean
  /**
   * Reserves a place for a stream. The returned function gets the sink and sends the first bytes. Like `stream` of a reply it must
   * be called exactly once. The place is released when the sink closes.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admit(request: SvcRequest, kind: StreamKind): (sink: StreamSink) => OpenStream
  /** Counts events that a reader of an entity stream did not get. Losses of one turn of the event loop are reported together. */
  dropped(stream: string, events: number): void
}
