/** The families as prom-client metrics with a limited number of label values. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Family, type FamilyLabels, type FamilyName, families } from './families.ts'
import { createHttpMetrics, type HttpFamily } from './http-metrics.ts'
import { LabelBudget } from './label-budget.ts'

/** Label values of a family. */
type LabelsOf<N extends FamilyName> = { readonly [L in FamilyLabels[N]]: string }

/** All families but those of HTTP requests, which `http` records. */
type RecordedFamily = Exclude<FamilyName, HttpFamily>

/** Records values. No method throws; a value that a family does not allow is ignored. */
export interface Instruments {
  /** Adds `value` to a counter, sets a gauge to it, or observes it in a histogram. */
  record<N extends RecordedFamily>(name: N, labels: LabelsOf<N>, value: number): void
  /** Adds `change` to a gauge. */
  move<N extends RecordedFamily>(name: N, labels: LabelsOf<N>, change: number): void
  /**
   * Makes a series exist before its first event, because a rate does not see the first value of a series. To be called
   * before values are recorded; later calls do nothing.
   */
  begin<N extends RecordedFamily>(name: N, labels: LabelsOf<N>): void
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

type Labels = Record<string, string>

interface Instrument {
  readonly bound: (labels: Labels) => Labels
  readonly take: (labels: Labels, value: number) => void
  readonly move?: (labels: Labels, change: number) => void
  readonly begin: (labels: Labels) => void
}

/** Creates every family of the table in `registry`. */
export function createInstruments(registry: Registry): Instruments {
  const { svc_http_requests_total: requests, svc_http_request_duration_seconds: _, ...others } = families
  const http = createHttpMetrics(registry, createBound(requests.labels))
  const instruments = new Map<FamilyName, Instrument>()
  for (const [name, family] of Object.entries(others))
    instruments.set(name as FamilyName, createInstrument(name, family, registry))
  return {
    record: (name, labels, value) => {
      const instrument = instruments.get(name)
      instrument?.take(instrument.bound(labels), value)
    },
    move: (name, labels, change) => {
      const instrument = instruments.get(name)
      instrument?.move?.(instrument.bound(labels), change)
    },
    begin: (name, labels) => {
      const instrument = instruments.get(name)
      instrument?.begin(instrument.bound(labels))
    },
    http,
  }
}

function createInstrument(name: string, family: Family, registry: Registry): Instrument {
  const config = { name, help: family.help, labelNames: [...family.labels], registers: [registry] }
  const bound = createBound(family.labels)
  const when =
    (fits: (value: number) => boolean, act: (labels: Labels, value: number) => void) =>
    (labels: Labels, value: number): void => {
      if (fits(value)) act(labels, value)
    }
  switch (family.type) {
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
      const histogram = new Histogram({ ...config, buckets: [...(family.buckets ?? [])] })
      const take = when(Number.isFinite, (labels, value) => histogram.observe(labels, value))
      const begun = new Set<string>()
      const begin = (labels: Labels): void => {
        const key = JSON.stringify(labels)
        // `zero` would delete the values of a series that another runtime of this process has begun.
        if (!begun.has(key)) histogram.zero(labels)
        begun.add(key)
      }
      return { bound, take, begin }
    }
  }
}

function createBound(names: readonly string[]): (labels: Labels) => Labels {
  const budgets = names.map((name) => [name, new LabelBudget()] as const)
  return (labels) => {
    const admitted: Labels = {}
    for (const [name, budget] of budgets) admitted[name] = budget.admit(String(labels[name]))
    return admitted
  }
}
