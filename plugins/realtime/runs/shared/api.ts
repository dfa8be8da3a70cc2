/** Stores of runs, for other plugins that are one. Import types from here, and nothing else. */
import type { TraceContext } from '../../../../core/http/request.ts'
import type { RunOwner, RunRecord } from '../api.ts'

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
  /**
   * The node that calls the agent of the run, in a cluster; absent once the run is over, and for runs of their owners.
   */
  readonly caller?: string
}

/** A head in the store. Positions rise from append to append and may have gaps. */
export interface StoredHead extends RunHead {
  readonly position: number
  /** When the store got the append, in Unix ms; absent if an older version of svc has not written it. */
  readonly atMs?: number | undefined
}

/**
 * The outcome of an append: `refused` means certainly not written, `unknown` means that either is possible. `moved`
 * means that `expected` is not the newest position any more: another append is behind it, or this one, if its
 * acknowledgement was lost. `unreadable` means that the store has a damaged run of this name.
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
   * Called instead of `batch` for stored appends, which then come without their heads; the head of a later append
   * includes what they say. A follower that needs every head does not have it.
   */
  earlier?(append: Pick<StoredHead, 'position' | 'atMs'>, events: readonly string[]): void
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
  /**
   * Whether other nodes have readers of a run; a node that does not answer has none. `ended` if the last ones were cut
   * by a stop of their node.
   */
  readersElsewhere(run: RunName): Promise<ReadersElsewhere>
}

/** How long ended runs are retained, in milliseconds, and how many of them. */
export interface RunRetention {
  readonly finishedRunTtlMs: number
  readonly maxFinishedRuns: number
}

/**
 * Keeps the logs of runs outside of the memory of one process: for all nodes of a cluster, or over restarts of one
 * node. Without a store, a run is in the memory of its process alone. A node that reads a run has a copy of it that
 * follows the store.
 */
export interface RunStore {
  /** Whether the store cannot be reached now. */
  readonly away: boolean
  /** Most bytes that the events of one append may have. */
  readonly maxBatchBytes: number
  /**
   * Set if all who append to the runs ended with the last process: time after a start, in milliseconds, in which a run
   * that was running needs an event. Otherwise it is ended.
   */
  readonly orphanAfterMs?: number
  /**
   * How long ended runs are kept where no setting says it. Set if the runs outlast the process: then the age of an
   * ended run also counts while no process runs.
   */
  readonly retention?: RunRetention
  /** Set if several nodes share the store. */
  readonly callers?: Callers
  /**
   * Appends if the newest position of the run is `expected`; 0 stands for a run of which the store has nothing. Answers
   * within `limitMs`, by default within a limit of the store. `trace` is that of the request, for stores that reach
   * other nodes.
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
   * Reads everything anew. To be called when appends behind the newest known position are refused again and again: what
   * this node has seen is not what the store has.
   */
  readAnew?(): void
  /** Writes the base of a log, then removes the appends before a position. */
  keep(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>, from: number): Promise<void>
  /** Deletes the rest of a removed run, up to and including a position. */
  forget(run: RunName, position: number): Promise<void>
  /** Whether this node holds the lease of old runs, which it has to renew by calling again and again. */
  lease(): Promise<boolean>
}
