/** The runs of a cluster and their streams; loaded if there is a `RunStore`. */
import type { Logger } from '../../../../core/kernel/log.ts'
import type { Streams } from '../../streams/api.ts'
import type { RunOwner } from '../api.ts'
import type { RunManagerOptions } from '../manager.ts'
import { type Around, openStream, wishOf } from '../open-stream.ts'
import type { OwnRuns } from '../own-runs.ts'
import type { Run } from '../run.ts'
import { openThread } from '../threads/open-thread.ts'
import type { Threads } from '../threads/threads.ts'
import type { RunStore } from './api.ts'
import { SharedRuns } from './shared-runs.ts'

/** Creates the runs of a cluster. The caller tells `threads` of each new run. */
export function createSharedRuns(
  streams: Streams,
  log: Logger,
  options: RunManagerOptions,
  store: RunStore,
  threads: Threads,
  written?: Around['written'],
): OwnRuns<SharedRuns> {
  const manager = new SharedRuns(store, log, options)
  const find = (owner: RunOwner, runId: string, state: boolean): Promise<Run | undefined> =>
    manager.find(owner, runId, state)
  const around = { manager, streams, log, threads, find, written }
  return {
    manager,
    open: async (request, owner, runId, wish = wishOf(request)) => {
      // A prelude needs the state of the run; a log is sent as it is.
      const run = await find(owner, runId, wish.prelude)
      return openStream(request, run, around, wish)
    },
    openThread: (request, owner, threadId) => openThread(request, owner, threadId, around),
    find,
    present: (owner, runId) => manager.present(owner, runId),
  }
}
