/** Runs in memory and in stores on a clock that the test holds, and the owner and the events of most tests. */
import { LogHub } from '../../../core/kernel/log.ts'
import type { RunManagerOptions } from '../../../plugins/realtime/runs/manager.ts'
import type { Run } from '../../../plugins/realtime/runs/run.ts'
import type { RunStore } from '../../../plugins/realtime/runs/shared/api.ts'
import { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'
import { SqliteRunStore } from '../../../plugins/realtime/runs-sqlite/sqlite-run-store.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import type { HeldClock } from '../../support/held-clock.ts'
import { runDefaults } from '../../support/run-defaults.ts'
import { storeParts } from '../../support/store-parts.ts'

export const owner = { user_id: 'ann', tenant_id: 'acme' }
export const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
export const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
export const said = (name: string, value: unknown = null): object => ({ type: 'CUSTOM', name, value })

let chance = 0

/** Options of runs: the defaults of all settings but `given`. */
export function runOptions(clock: HeldClock, given: Partial<RunManagerOptions> = {}): RunManagerOptions {
  return {
    ...runDefaults,
    clock,
    soon: (run) => void setImmediate(run),
    randomBytes: (length) => Uint8Array.from({ length }, (_, at) => (chance++ >> at) & 255),
    ...given,
  }
}

/** Runs in a store. */
export function storedRuns(store: RunStore, clock: HeldClock, given: Partial<RunManagerOptions> = {}): SharedRuns {
  return new SharedRuns(store, new LogHub(clock.now).logger('test'), runOptions(clock, given))
}

/** Runs in SQLite. */
export interface SqliteRuns {
  readonly runs: SharedRuns
  readonly store: SqliteRunStore
  readonly damaged: readonly string[]
  readonly errors: unknown[]
  stop(): Promise<void>
}

/** Milliseconds after which a run that was running at a restart is ended. */
export const ORPHAN_AFTER = 60_000

/** Opens runs in the SQLite store at a path. */
export async function openSqliteRuns(
  path: string,
  clock: HeldClock,
  given: Partial<RunManagerOptions> = {},
): Promise<SqliteRuns> {
  const file = createFileStore({ path, now: clock.monotonic, parts: storeParts })
  const errors: unknown[] = []
  const store = new SqliteRunStore({
    store: file,
    orphanAfterMs: ORPHAN_AFTER,
    now: clock.now,
    yieldLoop: () => new Promise((resolve) => void setImmediate(resolve)),
    onError: (error) => errors.push(error),
  })
  const runs = storedRuns(store, clock, given)
  const damaged = await store.load()
  let isStopped = false
  return {
    runs,
    store,
    damaged,
    errors,
    async stop() {
      if (isStopped) return
      isStopped = true
      runs.close()
      await file.close()
    },
  }
}

/** The frames that are retained of a run. */
export const framesOf = ({ feed: { ring } }: Run): string[] =>
  Array.from({ length: ring.size }, (_, at) => new TextDecoder().decode(ring.at(ring.base + at)!.bytes))
