/** Runs for other plugins. Import types from here, and nothing else. */

import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'

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
   * Appends AG-UI 1.0 events, all or none; optional members that are null are removed from them. `match` is
   * `"<epoch>-<seq>"`, the position that they are to follow. If they follow it already, nothing is done. Throws
   * `not_found`, `malformed_request`, `run_event_order`, `run_position_mismatch`, `payload_too_large`; in a cluster
   * also `overloaded` and `append_unknown`.
   */
  append(owner: RunOwner, runId: string, events: readonly unknown[], match?: string): Awaitable<RunRecord>
  /** Undefined if this owner has no such run. */
  get(owner: RunOwner, runId: string): Awaitable<RunRecord | undefined>
  /** The owner's runs, newest first. */
  list(owner: RunOwner): Awaitable<readonly RunRecord[]>
  /** A page of the runs of one or more owners. Throws `malformed_request` for an invalid `before`. */
  page(owners: RunOwners, query: RunsQuery): Awaitable<RunsPage>
  /**
   * Ends the owner's runs as cancelled and removes all of them; returns how many there were. Throws `overloaded`; what
   * is left then is removed by another call.
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
  /** Aborted when the run has ended, by its agent, its owner or this service. */
  readonly ended: AbortSignal
  /** Aborted when this node cannot show other nodes that it is there. They may end the run soon after. */
  readonly lost: AbortSignal
  /**
   * Whether anybody reads it, on any node. A last reader whose stream the service has ended counts, because it may come
   * back.
   */
  isRead(): Promise<boolean>
  /**
   * Appends events behind those that it has appended so far. An append whose outcome is unknown may be repeated.
   * @throws SvcError as `Runs.append`
   */
  append(events: readonly unknown[]): Promise<RunRecord>
  release(): void
}
