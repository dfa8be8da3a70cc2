/** The metrics of runs on NATS. */
import {
  type Counter,
  counter,
  type Gauge,
  gauge,
  type Histogram,
  histogram,
  type InstrumentsOf,
  type Metric,
} from '../../../core/declare/metric.ts'
import { engineUp } from '../engine-metric.ts'

/** By the names of the instruments. */
export const natsMetrics: {
  readonly engineUp: typeof engineUp
  readonly appendsUp: Metric<Gauge<'engine'>> | undefined
  readonly appends: Metric<Counter<'outcome'>> | undefined
  readonly appendSeconds: Metric<Histogram<'outcome'>> | undefined
  readonly lag: Metric<Gauge> | undefined
  readonly consumers: Metric<Gauge> | undefined
  readonly leaderChanges: Metric<Counter> | undefined
  readonly skipped: Metric<Counter<'kind'>> | undefined
} = {
  engineUp,
  appendsUp: gauge('svc_cluster_run_appends_up', {
    unit: '1 or 0',
    help: 'Whether a broker takes appends to the runs that the nodes of a cluster share, as `/readyz` has it in `run_appends`.',
    labels: ['engine'],
  }),
  /** `outcome` is `written`, `moved`, `refused` or `unknown`. */
  appends: counter('svc_cluster_run_appends_total', {
    unit: 'appends',
    help: 'Appends to runs that the nodes of a cluster share.',
    labels: ['outcome'],
  }),
  appendSeconds: histogram('svc_cluster_run_append_duration_seconds', {
    unit: 'seconds',
    help: 'Time until NATS answered an append, or until it counted as unanswered.',
    labels: ['outcome'],
    // One disk sync takes 0.1 to 10 ms, and commits wait for each other.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4],
  }),
  lag: gauge('svc_cluster_run_lag', {
    unit: 'appends',
    help: 'Appends that NATS has and this node had not seen when it looked last.',
  }),
  consumers: gauge('svc_cluster_run_consumers', {
    unit: 'consumers',
    help: 'Consumers of NATS: one for all runs, and one for each in memory.',
  }),
  leaderChanges: counter('svc_cluster_leader_changes_total', {
    unit: 'changes',
    help: 'Changes of the server of NATS that leads the stream of the runs, as this node saw them.',
  }),
  skipped: counter('svc_cluster_skipped_messages_total', {
    unit: 'messages',
    help: 'Messages of NATS that no node wrote, and that this node skipped: `run`, `base` or `live`.',
    labels: ['kind'],
  }),
}

type NatsInstruments = InstrumentsOf<typeof natsMetrics>

/** Makes the series of appends exist before the first append. */
export function beginAppends({ appends, appendSeconds }: NatsInstruments): void {
  for (const outcome of ['written', 'moved', 'refused', 'unknown']) {
    appends.begin({ outcome })
    appendSeconds.begin({ outcome })
  }
}

/** Counts an append that was answered, or that counts as unanswered. */
export function countAppend({ appends, appendSeconds }: NatsInstruments, outcome: string, seconds: number): void {
  appends.add({ outcome })
  appendSeconds.observe({ outcome }, seconds)
}

/** Shows the state of the runs. `led` is whether the leader was known before and is another now. */
export function showRuns(metrics: NatsInstruments, lag: number, consumers: number, led: boolean): void {
  metrics.lag.set({}, lag)
  metrics.consumers.set({}, consumers)
  if (led) metrics.leaderChanges.add({})
}
