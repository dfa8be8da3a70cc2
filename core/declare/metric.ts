/**
 * Metrics as data, and the instruments that record them. A metric is declared in the plugin that counts it; the plugin
 * with the capability `MetricSink` collects the values of all plugins, and names no other plugin.
 */

import type { Awaitable } from '../kernel/values.ts'

declare const __METRICS__: boolean

/** One metric, in the terms of Prometheus. */
export interface MetricSpec {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** The unit of a value. */
  readonly unit: string
  /** One sentence for the scrape and the documentation. */
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, ascending, in the unit. */
  readonly buckets?: readonly number[]
}

/** Label values by name. */
export type Labels<L extends string = string> = Readonly<Record<L, string>>

/** What all instruments have. No method throws; without a sink nothing happens. Each label has at most 200 values. */
interface Instrument<L extends string> {
  /** Whether values are recorded. Work that only measures can be left out if it is false. */
  readonly enabled: boolean
  /**
   * Makes a series exist before its first event, because a rate does not see the first value of a series. Later calls
   * do nothing.
   */
  begin(labels: Labels<L>): void
}

/** Counts events. */
export interface Counter<L extends string = never> extends Instrument<L> {
  /** Adds `by`, 1 if absent. A negative number is ignored. */
  add(labels: Labels<L>, by?: number): void
}

/** Shows the present value of something. */
export interface Gauge<L extends string = never> extends Instrument<L> {
  set(labels: Labels<L>, value: number): void
  /** Adds `change`, which may be negative. */
  move(labels: Labels<L>, change: number): void
  /** Calls `run` before each scrape, so that it sets the present values. To be called from `onStart` on. */
  sample(run: () => Awaitable<void>): void
}

/** Counts observations by size. */
export interface Histogram<L extends string = never> extends Instrument<L> {
  observe(labels: Labels<L>, value: number): void
}

/** A metric with the type of its instrument. */
export interface Metric<I> extends MetricSpec {
  readonly '~instrument'?: I
}

/** The metrics of a plugin. A bundle in which nothing collects metrics has the names alone. */
export type MetricsTable = Readonly<Record<string, Metric<unknown> | undefined>>

/** The instruments of a table. */
export type InstrumentsOf<T extends MetricsTable> = {
  readonly [N in keyof T]: T[N] extends Metric<infer I> | undefined ? I : never
}

/** The parts of a metric besides its name. */
export interface MetricOptions<L extends string> {
  readonly unit: string
  readonly help: string
  readonly labels?: readonly L[]
}

/**
 * Declares a counter. Its name ends with `_total`.
 *
 * @example
 * ```ts
 * import { counter, defineFeature } from 'svc/plugin'
 *
 * export const feature = defineFeature({
 *   id: 'edge.quote',
 *   metrics: {
 *     quotes: counter('edge_quotes_total', { unit: 'quotes', help: 'Quotes that were given.', labels: ['author'] }),
 *   },
 *   setup({ metrics }) {
 *     metrics.quotes.add({ author: 'Mies' })
 *   },
 * })
 * ```
 */
export function counter<const L extends string = never>(
  name: string,
  options: MetricOptions<L>,
): Metric<Counter<L>> | undefined {
  if (typeof __METRICS__ === 'undefined' || __METRICS__) return { labels: [], ...options, name, type: 'counter' }
  return undefined
}

/**
 * Declares a gauge.
 *
 * @example
 * ```ts
 * import { defineFeature, gauge } from 'svc/plugin'
 *
 * export const feature = defineFeature({
 *   id: 'edge.quote',
 *   metrics: { known: gauge('edge_quotes', { unit: 'quotes', help: 'Quotes that are known.' }) },
 *   setup({ metrics }) {
 *     metrics.known.set({}, 7)
 *   },
 * })
 * ```
 */
export function gauge<const L extends string = never>(
  name: string,
  options: MetricOptions<L>,
): Metric<Gauge<L>> | undefined {
  if (typeof __METRICS__ === 'undefined' || __METRICS__) return { labels: [], ...options, name, type: 'gauge' }
  return undefined
}

/**
 * Declares a histogram.
 *
 * @example
 * ```ts
 * import { defineFeature, histogram } from 'svc/plugin'
 *
 * const buckets = [0.001, 0.01, 0.1, 1]
 * export const feature = defineFeature({
 *   id: 'edge.quote',
 *   metrics: { search: histogram('edge_search_seconds', { unit: 'seconds', help: 'Time of a search.', buckets }) },
 *   setup({ metrics }) {
 *     metrics.search.observe({}, 0.004)
 *   },
 * })
 * ```
 */
export function histogram<const L extends string = never>(
  name: string,
  options: MetricOptions<L> & { readonly buckets: readonly number[] },
): Metric<Histogram<L>> | undefined {
  if (typeof __METRICS__ === 'undefined' || __METRICS__) return { labels: [], ...options, name, type: 'histogram' }
  return undefined
}

/** Collects the values of all metrics. No method throws; a value that a metric does not allow is ignored. */
export interface MetricSink {
  /** Makes metrics exist before their first values. The kernel calls it with the metrics of all plugins. */
  declare(metrics: readonly MetricSpec[]): void
  /** Adds `value` to a counter, sets a gauge to it, or observes it in a histogram. */
  record(metric: MetricSpec, labels: Labels, value: number): void
  /** Adds `change` to a gauge. */
  move(metric: MetricSpec, labels: Labels, change: number): void
  begin(metric: MetricSpec, labels: Labels): void
  /** Calls `run` before the values are shown. Without it gauges that are sampled have no values. */
  sample?(run: () => Awaitable<void>): void
}

/** The instruments of a table. `sink` is asked at each use, because the plugin that provides it has metrics too. */
export function instrumentsOf<T extends MetricsTable>(table: T, sink: () => MetricSink | undefined): InstrumentsOf<T> {
  const instruments = Object.entries(table).map(([key, metric]) => [key, createInstrument(metric, sink)])
  return Object.fromEntries(instruments) as InstrumentsOf<T>
}

function createInstrument(
  metric: MetricSpec | undefined,
  sink: () => MetricSink | undefined,
): Counter<string> & Gauge<string> & Histogram<string> {
  if ((typeof __METRICS__ === 'undefined' || __METRICS__) && metric !== undefined) {
    const record = (labels: Labels, value: number): void => sink()?.record(metric, labels, value)
    return {
      get enabled() {
        return sink() !== undefined
      },
      add: (labels, by = 1) => record(labels, by),
      set: record,
      observe: record,
      move: (labels, change) => sink()?.move(metric, labels, change),
      begin: (labels) => sink()?.begin(metric, labels),
      sample: (run) => sink()?.sample?.(run),
    }
  }
  const nothing = (): void => undefined
  return {
    enabled: false,
    add: nothing,
    set: nothing,
    observe: nothing,
    move: nothing,
    begin: nothing,
    sample: nothing,
  }
}

/** The metrics of some plugins, each name once. */
export function metricsOf(plugins: readonly { readonly metrics?: MetricsTable }[]): readonly MetricSpec[] {
  const all = plugins.flatMap(({ metrics = {} }) => Object.values(metrics)).filter((metric) => metric !== undefined)
  return [...new Map(all.map((metric) => [metric.name, metric])).values()]
}
