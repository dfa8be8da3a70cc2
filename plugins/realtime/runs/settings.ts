import { documented } from '../../../core/declare/described.ts'
import { decimal, deprecated, integer, type Setting } from '../../../core/declare/settings.ts'
import { type OwnNames, ownNames } from '../own-names.ts'
import type { RunRetention } from './shared/api.ts'

type RunSetting =
  | 'run_max_events'
  | 'run_max_bytes'
  | 'runs_max_bytes'
  | 'max_running_runs'
  | 'max_running_runs_per_identity'
  | 'run_idle_ms'
  | 'runs_identity_share'
  | 'runs_tenant_share'
  | 'run_work_per_second'
  | 'run_checkpoint_events'
  | 'run_slice_ms'
  | 'max_id_bytes'
  | 'max_patch_operations'

/** Settings whose default is that of the store. */
type KeptSetting = 'max_finished_runs' | 'finished_run_ttl_ms'

/** The same numbers by their names in code. */
export type RunNumbers = OwnNames<Readonly<Record<`realtime.${RunSetting | KeptSetting}`, number>>>

/** Of runs in memory, and in a cluster: they take the memory of processes, which a restart frees. */
const MEMORY_RETENTION: RunRetention = { finishedRunTtlMs: 900_000, maxFinishedRuns: 256 }

const ofStore = (setting: Setting<number>): Setting<number | null> => ({ ...setting, default: null })

/** How much of runs is retained, and how many there may be. */
export const runSettings: Readonly<
  Record<`realtime.${RunSetting}`, Setting<number>> & Record<`realtime.${KeptSetting}`, Setting<number | null>>
> = {
  'realtime.run_max_events': integer({ default: 4_096, min: 1, summary: documented('Events retained of one run.') }),
  'realtime.run_max_bytes': integer({
    default: 8_388_608,
    min: 1_024,
    unit: 'bytes',
    summary: documented(
      'Bytes of events retained of one run; its messages, its state, and what its sub-agents said are bounded by the same number, each.',
    ),
  }),
  'realtime.runs_max_bytes': integer({
    default: 536_870_912,
    min: 65_536,
    unit: 'bytes',
    summary: documented('Bytes of memory that all runs together may hold.'),
  }),
  'realtime.runs_identity_share': decimal({
    default: 0.25,
    min: 0,
    max: 1,
    summary: documented('Share of it that the runs of one identity may hold.'),
  }),
  'realtime.runs_tenant_share': decimal({
    default: 0.5,
    min: 0,
    max: 1,
    summary: documented('The same, of one tenant; also its share of `realtime.max_running_runs`.'),
  }),
  'realtime.run_work_per_second': integer({
    default: 200_000,
    summary: documented(
      'Elements of large runs that events of one identity may touch a second, beyond those that they bring.',
    ),
  }),
  'realtime.run_checkpoint_events': deprecated(
    integer({
      default: 512,
      min: 1,
      summary: documented('Events between two places that a snapshot for an old position starts from.'),
    }),
    documented('It trades the time of a snapshot of an old position against memory, and both are small at 512.'),
  ),
  'realtime.run_slice_ms': deprecated(
    integer({
      default: 5,
      min: 1,
      unit: 'ms',
      summary: documented('How long the making of a large snapshot may hold the event loop at once.'),
    }),
    documented('Other requests wait this long for one; longer helps nobody.'),
  ),
  'realtime.max_id_bytes': deprecated(
    integer({
      default: 256,
      min: 1,
      unit: 'bytes',
      summary: documented('Longest id or name in an event.'),
    }),
    documented('Ids are names; text belongs into the event.'),
  ),
  'realtime.max_patch_operations': integer({
    default: 1_000,
    summary: documented('Most operations of one JSON Patch.'),
  }),
  'realtime.max_finished_runs': ofStore(
    integer({
      default: MEMORY_RETENTION.maxFinishedRuns,
      summary: documented(
        'Ended runs retained, the newest. By default 256, and 10000 with `realtime.run_store` = `sqlite`.',
      ),
    }),
  ),
  'realtime.finished_run_ttl_ms': ofStore(
    integer({
      default: MEMORY_RETENTION.finishedRunTtlMs,
      min: 20,
      unit: 'ms',
      summary: documented(
        'How long an ended run is retained. By default 15 minutes, and 7 days with `realtime.run_store` = `sqlite`.',
      ),
    }),
  ),
  'realtime.max_running_runs': integer({
    default: 4_096,
    min: 1,
    summary: documented('Runs under way in the process.'),
  }),
  'realtime.max_running_runs_per_identity': integer({
    default: 256,
    min: 1,
    summary: documented('Runs under way of one identity.'),
  }),
  'realtime.run_idle_ms': integer({
    default: 86_400_000,
    min: 20,
    unit: 'ms',
    summary: documented('Time without an event after which a run counts as abandoned and is ended with RUN_ERROR.'),
  }),
}

/** The numbers of settings. `store` has the retention where a setting has none. */
export function runNumbers(
  settings: Readonly<Record<`realtime.${RunSetting}`, number> & Record<`realtime.${KeptSetting}`, number | null>>,
  store: RunRetention = MEMORY_RETENTION,
): RunNumbers {
  const { finishedRunTtlMs, maxFinishedRuns, ...numbers } = ownNames(settings)
  return {
    ...numbers,
    finishedRunTtlMs: finishedRunTtlMs ?? store.finishedRunTtlMs,
    maxFinishedRuns: maxFinishedRuns ?? store.maxFinishedRuns,
  }
}
