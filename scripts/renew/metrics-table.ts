/** The metrics of all features, from what the plugins declare. */
import { type MetricSpec, metricsOf } from '../../core/declare/metric.ts'
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { planVariants } from '../build/plan/plan-feature.ts'

/** A metric with the features that count it. */
export interface MetricEntry extends MetricSpec {
  readonly features: readonly string[]
}

/** All metrics by name, in the order of the matrix. Those of HTTP requests and of the capability come first. */
export async function collectMetrics(): Promise<ReadonlyMap<string, MetricEntry>> {
  const metrics = new Map<string, MetricEntry>()
  const ids = Object.keys(matrixFeatures)
  for (const id of [OWNER, ...ids.filter((one) => one !== OWNER)]) {
    const feature = matrixFeatures[id]!
    const planned = planVariants(id, feature)
    for (const metric of metricsOf(planned.flatMap(({ plugin }) => plugin ?? [])))
      metrics.set(metric.name, { ...metric, features: [...(metrics.get(metric.name)?.features ?? []), id] })
  }
  return metrics
}

/** The rows of the table of metrics. */
export async function metricsTable(): Promise<readonly string[]> {
  const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
  return [
    '| metric | type | unit | labels | what | feature |',
    '|---|---|---|---|---|---|',
    ...[...(await collectMetrics()).values()].map(
      ({ name, type, unit, labels, help, features }) =>
        `| \`${name}\` | ${type} | ${unit} | ${code(labels)} | ${help} | ${code(features)} |`,
    ),
  ]
}

const OWNER = 'telemetry.metrics'
