/** The metrics of pushes. */
import { type Counter, counter, type Histogram, histogram, type Metric } from '../../../core/declare/metric.ts'

/** By the names of the instruments. */
export const pushMetrics: {
  readonly pushes: Metric<Counter<'surface' | 'result'>> | undefined
  readonly pushSeconds: Metric<Histogram<'surface'>> | undefined
} = {
  /** `surface` is `local`, or `runtime` for pushes over the network; `result` is `created`, `replayed` or an error code. */
  pushes: counter('svc_sync_pushes_total', {
    unit: 'pushes',
    help: 'Pushes by surface and result.',
    labels: ['surface', 'result'],
  }),
  pushSeconds: histogram('svc_sync_push_duration_seconds', {
    unit: 'seconds',
    help: 'Duration of pushes.',
    labels: ['surface'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  }),
}
