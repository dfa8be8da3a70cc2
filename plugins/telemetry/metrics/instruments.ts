/** Declared metrics as prom-client metrics with a limited number of label values. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Labels, MetricSink, MetricSpec } from '../../../core/declare/metric.ts'
import { createHttpMetrics } from './http-metrics.ts'
import { httpMetrics } from './own-metrics.ts'

/** Records values of declared metrics. No method throws; a value that a metric does not allow is ignored. */
export interface Instruments extends MetricSink {
  /** Records one answered HTTP request. */
  http(method: string, path: string, status: number, seconds: number): void
}

/** The recorder of a process. Other bundles of this service in the same process use it too. */
export interface Recorder {
  /** Read it at each use, because it changes when the recorder is loaded. */
  readonly instruments: Instruments
  /** Returns the bytes of a scrape. Concurrent scrapes share one result. */
  scrape(): Promise<Uint8Array>
}

interface Instrument {
  readonly bound: (labels: Labels) => PromLabels
  readonly take: (labels: PromLabels, value: number) => void
  readonly move?: (labels: PromLabels, change: number) => void
  readonly begin: (labels: PromLabels) => void
}

type PromLabels = Record<string, string>

/** Creates the metrics of HTTP requests in `registry`; all others are created when they are declared. */
export function createInstruments(registry: Registry): Instruments {
  const http = createHttpMetrics(registry, createBound(httpMetrics.requests?.labels ?? []))
  const instruments = new Map<string, Instrument>()
  const counted = new Set(Object.values(httpMetrics).map((metric) => metric?.name))
  return {
    declare: (metrics) => {
      for (const metric of metrics)
        if (!instruments.has(metric.name) && !counted.has(metric.name))
          instruments.set(metric.name, createInstrument(metric, registry))
    },
    record: ({ name }, labels, value) => {
      const instrument = instruments.get(name)
      instrument?.take(instrument.bound(labels), value)
    },
    move: ({ name }, labels, change) => {
      const instrument = instruments.get(name)
      instrument?.move?.(instrument.bound(labels), change)
    },
    begin: ({ name }, labels) => {
      const instrument = instruments.get(name)
      instrument?.begin(instrument.bound(labels))
    },
    http,
  }
}

function createInstrument(metric: MetricSpec, registry: Registry): Instrument {
  const { name, help, labels, type, buckets = [] } = metric
  const config = { name, help, labelNames: [...labels], registers: [registry] }
  const bound = createBound(labels)
  const when =
    (fits: (value: number) => boolean, act: (labels: PromLabels, value: number) => void) =>
    (labels: PromLabels, value: number): void => {
      if (fits(value)) act(labels, value)
    }
  switch (type) {
    case 'counter': {
      const counter = new Counter(config)
      const take = when(
        (value) => value >= 0 && value < Infinity,
        (labels, value) => counter.inc(labels, value),
      )
      return { bound, take, begin: (labels) => counter.inc(labels, 0) }
    }
    case 'gauge': {
      const gauge = new Gauge(config)
      const set = when(Number.isFinite, (labels, value) => gauge.set(labels, value))
      const move = when(Number.isFinite, (labels, change) => gauge.inc(labels, change))
      return { bound, take: set, move, begin: (labels) => gauge.inc(labels, 0) }
    }
    case 'histogram': {
      const histogram = new Histogram({ ...config, buckets: [...buckets] })
      const take = when(Number.isFinite, (labels, value) => histogram.observe(labels, value))
      const begun = new Set<string>()
      const begin = (labels: PromLabels): void => {
        const key = JSON.stringify(labels)
        // `zero` would delete the values of a series that another runtime of this process has begun.
        if (!begun.has(key)) histogram.zero(labels)
        begun.add(key)
      }
      return { bound, take, begin }
    }
  }
}

function createBound(names: readonly string[]): (labels: Labels) => PromLabels {
  const budgets = names.map((name) => [name, new LabelBudget()] as const)
  return (labels) => {
    const admitted: PromLabels = {}
    for (const [name, budget] of budgets) admitted[name] = budget.admit(String(labels[name]))
    return admitted
  }
}

/** Maximum number of values of one label in one family. Further values are counted together. */
const MAX_VALUES = 200
/** Maximum length of a value in UTF-16 units. It is longer than any name and limits the memory of 200 values. */
const MAX_LENGTH = 200
/** The value that replaces all further values. */
const OTHER = 'other'

/** The values of one label. */
class LabelBudget {
  readonly #values: Set<string> = new Set()

  /** Returns the value to record for `value`. */
  admit(value: string): string {
    const short = value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH) : value
    if (this.#values.has(short)) return short
    if (this.#values.size === MAX_VALUES) return OTHER
    this.#values.add(short)
    return short
  }
}
