/** The metric that both engines of a cluster set. */
import { type Gauge, gauge, type Metric } from '../../core/declare/metric.ts'

/** Whether an engine answers. */
export const engineUp: Metric<Gauge<'engine'>> | undefined = gauge('svc_cluster_engine_up', {
  unit: '1 or 0',
  help: 'Whether a database or broker that the nodes of a cluster share answers.',
  labels: ['engine'],
})
