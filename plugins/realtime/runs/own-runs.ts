/** The runs of a process, in memory or in a store. */

import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest, TraceContext } from '../../../core/http/request.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { RunOwner, RunRecord, Runs, RunWish } from './api.ts'
import type { Wish } from './open-stream.ts'
import type { Run } from './run.ts'
import type { ReadersElsewhere } from './shared/api.ts'

/** The manager of the runs of a process, and what opens their streams. */
export interface OwnRuns<Manager = unknown> {
  readonly manager: Manager &
    Runs & {
      /**
       * As `Runs.create`; `first` are its first events, which do not end it. There is no moment at which it is without
       * them.
       */
      create(owner: RunOwner, wish?: RunWish, first?: readonly unknown[]): Awaitable<RunRecord>
      /**
       * Refuses more bytes for a run whose owner has no room for them. `since` is when the work on the request began,
       * on the monotonic clock: in a cluster the answer is due within 5 s of it.
       * @throws SvcError `not_found`, `rate_limited`, `overloaded`
       */
      admit(owner: RunOwner, runId: string, bytes: number, since?: number): Awaitable<void>
      /** As `Runs.append`; `since` as of `admit`, and `trace` of the request. */
      append(
        owner: RunOwner,
        runId: string,
        events: readonly unknown[],
        match?: string,
        since?: number,
        trace?: TraceContext,
      ): Awaitable<RunRecord>
      close(): void
      /** As of `SharedRuns`; absent in a process without a store of runs. */
      calling?(onLost: () => void): Promise<() => void>
      isCalled?(owner: RunOwner, runId: string): boolean
      readersElsewhere?(owner: RunOwner, runId: string): Promise<ReadersElsewhere>
    }
  /**
   * Opens the stream of a run to a caller.
   * @throws SvcError `not_found`, `malformed_request`, `rate_limited`, `overloaded`
   */
  open(request: SvcRequest, owner: RunOwner, runId: string, wish?: Wish): Awaitable<Reply>
  /**
   * Opens the stream of a thread to a caller.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  openThread(request: SvcRequest, owner: RunOwner, threadId: string): Promise<Reply>
  /** The run in memory. `state` asks for what a client has beside the log. */
  find(owner: RunOwner, runId: string, state: boolean): Awaitable<Run | undefined>
  /**
   * The run if this node has a copy of it now, as of a run that has readers here; absent in a process without a store
   * of runs.
   */
  present?(owner: RunOwner, runId: string): Run | undefined
}
