/** The metrics of boards. */
import {
  type Counter,
  counter,
  type Gauge,
  gauge,
  type Histogram,
  histogram,
  type Metric,
} from '../../../core/declare/metric.ts'

/** By the names of the instruments. */
export const kbdMetrics: {
  readonly commands: Metric<Counter<'surface' | 'type' | 'outcome'>> | undefined
  readonly commandSeconds: Metric<Histogram<'surface'>> | undefined
  readonly foldSeconds: Metric<Histogram> | undefined
  readonly heads: Metric<Gauge<'project'>> | undefined
  readonly conflicts: Metric<Gauge<'project'>> | undefined
} = {
  /**
   * `surface` is `local`, or `runtime` for commands over the network; `type` is the type of a command; `outcome` is
   * `created`, `replayed` or an error code.
   */
  commands: counter('svc_kbd_commands_total', {
    unit: 'commands',
    help: 'Commands of boards by surface, type and outcome.',
    labels: ['surface', 'type', 'outcome'],
  }),
  commandSeconds: histogram('svc_kbd_command_duration_seconds', {
    unit: 'seconds',
    help: 'Duration of commands of boards.',
    labels: ['surface'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  }),
  foldSeconds: histogram('svc_kbd_fold_duration_seconds', {
    unit: 'seconds',
    help: 'Time for admitting a command and applying it to its board, inside its transaction.',
    // Most commands change a few rows; reranking a column changes hundreds.
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
  }),
  heads: gauge('svc_kbd_heads', {
    unit: 'heads',
    help: 'Heads of a project; 1 without concurrent commands.',
    labels: ['project'],
  }),
  conflicts: gauge('svc_kbd_conflicts', {
    unit: 'conflicts',
    help: 'Open conflicts of a project.',
    labels: ['project'],
  }),
}
