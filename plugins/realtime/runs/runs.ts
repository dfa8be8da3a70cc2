/** The runs of a process and their streams: what the plugin loads. */
import type { Awaitable } from '../../../core/awaitable.ts'
import type { Clock } from '../../../core/environment.ts'
import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest, TraceContext } from '../../../core/http/request.ts'
import type { Logger } from '../../../core/log.ts'
import type { Delegation } from '../../auth/api.ts'
import type { Streams } from '../streams/api.ts'
import { type ActingRuns, createActingRuns } from './acting-runs.ts'
import { WrittenRuns } from './agent-runs.ts'
import type { RunOwner, RunRecord, Runs, RunWish } from './api.ts'
import { RunManager, type RunManagerOptions } from './manager.ts'
import { type Around, openStream, type Wish } from './open-stream.ts'
import type { Run } from './run.ts'
import type { RunNumbers } from './settings.ts'
import type { ReadersElsewhere } from './shared/api.ts'
import { openThread } from './threads/open-thread.ts'
import { Threads } from './threads/threads.ts'
import { createWhose, type Whose } from './whose.ts'

declare const __REALTIME_AGENTS__: boolean

/** What the runs of a process need. */
export interface OwnRuns<Manager = unknown> {
  readonly manager: Manager &
    Runs & {
      /** As `Runs.create`; `first` are its first events, which do not end it. There is no moment at which it is without them. */
      create(owner: RunOwner, wish?: RunWish, first?: readonly unknown[]): Awaitable<RunRecord>
      /**
       * Refuses more bytes for a run whose owner has no room for them. `since` is when the work on the request began, on the
       * monotonic clock: in a cluster the answer is due within 5 s of it.
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
  /** The run if this node has a copy of it now, as of a run that has readers here; absent in a process without a store of runs. */
  present?(owner: RunOwner, runId: string): Run | undefined
}

/** Creates the runs of a process. The caller tells `threads` of each new run. */
export function createRuns(
  streams: Streams,
  log: Logger,
  options: RunManagerOptions,
  threads: Threads,
  written?: Around['written'],
): OwnRuns<RunManager> {
  const manager = new RunManager(options)
  const find = (owner: RunOwner, runId: string): Run | undefined => manager.find(owner, runId)
  const around = { manager, streams, log, threads, find, written }
  return {
    manager,
    open: (request, owner, runId, wish) => openStream(request, find(owner, runId), around, wish),
    openThread: (request, owner, threadId) => openThread(request, owner, threadId, around),
    find,
  }
}

/** The parts of the runs of a process beside their manager. */
export interface RunParts {
  readonly acting: ActingRuns
  readonly threads: Threads
  readonly whose: Whose
  /** The runs that agents write; undefined in a profile without `realtime.agents`. */
  readonly written: WrittenRuns | undefined
}

/** Creates the parts. `runs` is asked at each use, because the store of runs is known later. */
export function createRunParts(
  runs: () => OwnRuns,
  clock: Clock,
  delegation: Delegation | undefined,
  numbers: Pick<RunNumbers, 'maxRunningRuns' | 'runsTenantShare'>,
): RunParts {
  return {
    acting: createActingRuns(delegation, numbers),
    threads: new Threads(),
    whose: createWhose(delegation),
    written:
      typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__ ? new WrittenRuns(runs, clock) : undefined,
  }
}
