/** The runs of a cluster and their streams; loaded if there is a `RunStore`. */
import type { Logger } from '../../../../core/log.ts'
import type { RunStore, Streams } from '../../api.ts'
import type { RunManagerOptions } from '../manager.ts'
import { openStream, wishOf } from '../open-stream.ts'
import type { OwnRuns } from '../runs.ts'
import { SharedRuns } from './shared-runs.ts'

/** Creates the runs of a cluster. */
export function createSharedRuns(
  streams: Streams,
  log: Logger,
  options: RunManagerOptions,
  store: RunStore,
): OwnRuns<SharedRuns> {
  const manager = new SharedRuns(store, log, options)
  return {
    manager,
    open: async (request, owner, runId, wish = wishOf(request)) => {
      // A prelude needs the state of the run; a log is sent as it is.
      const run = await manager.find(owner, runId, wish.prelude)
      return openStream(request, run, { manager, streams, log }, wish)
    },
    find: (owner, runId, state) => manager.find(owner, runId, state),
  }
}
