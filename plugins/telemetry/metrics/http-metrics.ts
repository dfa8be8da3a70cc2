/**
 * The two metrics of HTTP requests. They are counted here, because prom-client hashes all labels at each observation,
 * which is expensive for two observations per request.
 */
import { Counter, type CounterConfiguration, Gauge, Histogram, type Registry } from 'prom-client'
import { knownMethod } from '../known-method.ts'
import { httpMetrics } from './own-metrics.ts'

type Labels = Record<string, string>

/** Counts of the requests with one method, path and status. */
interface Series {
  readonly labels: Labels
  count: number
  /** Sum of all durations in seconds. */
  sum: number
  /** Observations by the lowest bound that they do not exceed; observations above all bounds are only in `count`. */
  readonly buckets: number[]
}

/** One value of a metric, in the form that prom-client prints. */
interface Value {
  readonly labels: Partial<Record<string, string | number>>
  readonly value: number
  readonly metricName?: string
}

/** A metric with values that are counted outside of prom-client. Name, help and type are those of `like`. */
class CountedMetric extends Gauge {
  readonly #like: Counter | Histogram
  readonly #values: () => Value[]

  constructor(config: CounterConfiguration<string>, like: Counter | Histogram, values: () => Value[]) {
    super({ ...config, labelNames: [], registers: [] })
    this.#like = like
    this.#values = values
  }

  override async get(): ReturnType<Gauge['get']> {
    return { ...(await this.#like.get()), values: this.#values() }
  }
}

/** Records one answered HTTP request: `seconds` from its head to its answer. */
export type RecordHttp = (method: string, path: string, status: number, seconds: number) => void

/** Adds both metrics to a registry. `bound` limits the number of label values. */
export function createHttpMetrics(registry: Registry, bound: (labels: Labels) => Labels): RecordHttp {
  const bounds = httpMetrics.seconds?.buckets ?? []
  const all: Series[] = []
  registerBoth(registry, all, bounds)

  const byText = new Map<string, Series>()
  const find = (method: string, path: string, status: string): Series => {
    const labels = bound({ method, path, status })
    const text = JSON.stringify(labels)
    let series = byText.get(text)
    if (series === undefined) {
      series = { labels, count: 0, sum: 0, buckets: bounds.map(() => 0) }
      byText.set(text, series)
      all.push(series)
    }
    return series
  }
  // Successive requests often have the same method, path and status.
  let last: { method: string; path: string; status: number; series: Series } | undefined
  return (method, path, status, seconds) => {
    if (last === undefined || last.path !== path || last.method !== method || last.status !== status)
      last = { method, path, status, series: find(knownMethod(method), path, String(status)) }
    const { series } = last
    series.count++
    series.sum += seconds
    const index = bounds.findIndex((bound) => seconds <= bound)
    if (index >= 0) series.buckets[index] = (series.buckets[index] ?? 0) + 1
  }
}

function registerBoth(registry: Registry, all: readonly Series[], bounds: readonly number[]): void {
  const { requests, seconds } = httpMetrics
  // Always there: a bundle without metrics has no part of this code.
  if (requests === undefined || seconds === undefined) return
  const counts = { name: requests.name, help: requests.help, labelNames: [...requests.labels], registers: [] }
  registry.registerMetric(
    new CountedMetric(counts, new Counter(counts), () => all.map(({ labels, count }) => ({ labels, value: count }))),
  )
  const { name, help } = seconds
  const durations = { name, help, labelNames: [...seconds.labels], registers: [], buckets: [...bounds] }
  registry.registerMetric(
    new CountedMetric({ name, help }, new Histogram(durations), () =>
      all.flatMap((series) => toHistogram(name, series, bounds)),
    ),
  )
}

/** Returns the values of one series of a histogram. A bucket includes the counts of all lower buckets. */
function toHistogram(name: string, { labels, count, sum, buckets }: Series, bounds: readonly number[]): Value[] {
  let cumulative = 0
  return [
    ...bounds.map((le, index) => {
      cumulative += buckets[index] ?? 0
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: cumulative }
    }),
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
