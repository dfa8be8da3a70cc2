import { documented } from '../../../core/documented.ts'
import { integer, type Setting } from '../../../core/settings/kinds.ts'

type RunSetting =
  | 'run_max_events'
  | 'run_max_bytes'
  | 'runs_max_bytes'
  | 'max_finished_runs'
  | 'finished_run_ttl_ms'
  | 'max_running_runs'
  | 'max_running_runs_per_identity'
  | 'run_idle_ms'

/** How much of runs is retained, and how many there may be. */
export const runSettings: Readonly<Record<`realtime.${RunSetting}`, Setting<number>>> = {
  'realtime.run_max_events': integer({ default: 4_096, min: 1, summary: documented('Events retained of one run.') }),
  'realtime.run_max_bytes': integer({
    default: 8_388_608,
    min: 1_024,
    unit: 'bytes',
    summary: documented(
      'Bytes of events retained of one run; its messages and its state are bounded by the same number, each.',
    ),
  }),
  'realtime.runs_max_bytes': integer({
    default: 536_870_912,
    min: 65_536,
    unit: 'bytes',
    summary: documented('Bytes retained of all runs together.'),
  }),
  'realtime.max_finished_runs': integer({ default: 256, summary: documented('Ended runs retained, the newest.') }),
  'realtime.finished_run_ttl_ms': integer({
    default: 900_000,
    min: 20,
    unit: 'ms',
    summary: documented('How long an ended run is retained.'),
  }),
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
