import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { Delegation } from '../../auth/api.ts'
import type { Streams } from '../streams/api.ts'
import { type ActingRuns, createActingRuns } from './acting-runs.ts'
import { WrittenRuns } from './agent-runs.ts'
import type { RunOwner } from './api.ts'
import { RunManager, type RunManagerOptions } from './manager.ts'
import { type Around, openStream } from './open-stream.ts'
import type { OwnRuns } from './own-runs.ts'
import { createRemovedRuns, type RemovedRuns } from './removed-runs.ts'
import type { Run } from './run.ts'
import type { RunNumbers } from './settings.ts'
import { openThread } from './threads/open-thread.ts'
import { Threads } from './threads/threads.ts'
import { createWhose, type Whose } from './whose.ts'

declare const __REALTIME_AGENTS__: boolean

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
  readonly removed: RemovedRuns
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
    removed: createRemovedRuns(() => clock.now()),
    threads: new Threads(),
    whose: createWhose(delegation),
    written:
      typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__ ? new WrittenRuns(runs, clock) : undefined,
  }
}
