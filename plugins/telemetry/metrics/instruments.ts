/** The families as prom-client metrics, with bounded labels. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { knownMethod } from '../known-method.ts'
import { type Family, type FamilyLabels, type FamilyName, families } from './families.ts'
import { LabelBudget } from './label-budget.ts'
import { findSeries, type StoredMetric, type StoredSeries } from './stored-metric.ts'

/** Label values of a family. */
type LabelsOf<N extends FamilyName> = { readonly [L in FamilyLabels[N]]: string }

/** The families in a registry. Nothing here throws: a value that a family cannot take is left out. */
export interface Instruments {
  /** Counters grow by `value`, gauges become it, histograms observe it. */
  record<N extends FamilyName>(name: N, labels: LabelsOf<N>, value: number): void
  /** Moves a gauge by `change`. */
  move<N extends FamilyName>(name: N, labels: LabelsOf<N>, change: number): void
  /** One answered HTTP request. */
  http(method: string, path: string, status: number, seconds: number): void
}

/** The recorder, of which a process has one. Another bundle of this service may find it there and use it. */
export interface Recorder {
  /** Another object once the recorder is loaded: to be asked for at each use. */
  readonly instruments: Instruments
  /** The bytes of a scrape. Scrapes that overlap share one. */
  scrape(): Promise<Uint8Array>
}

type Labels = Record<string, string>

interface Instrument {
  readonly bound: (labels: Labels) => Labels
  readonly take: (labels: Labels, value: number) => void
  readonly move: (labels: Labels, change: number) => void
}

/** Creates every family of the table in `registry`. */
export function createInstruments(registry: Registry): Instruments {
  const instruments = new Map<FamilyName, Instrument>()
  for (const [name, family] of Object.entries(families)) {
    instruments.set(name as FamilyName, createInstrument(name, family, registry))
  }
  return {
    record: (name, labels, value) => {
      const { bound, take } = instruments.get(name)!
      take(bound(labels), value)
    },
    move: (name, labels, change) => {
      const { bound, move } = instruments.get(name)!
      move(bound(labels), change)
    },
    http: createHttp(
      instruments.get('svc_http_requests_total')!,
      instruments.get('svc_http_request_duration_seconds')!,
      registry,
    ),
  }
}

/**
 * The hot path. The first request of a combination goes through prom-client; later ones change the stored series, found
 * by three look-ups of short strings, since the hash that prom-client makes of the labels costs more than the rest.
 */
function createHttp(requests: Instrument, durations: Instrument, registry: Registry): Instruments['http'] {
  const counters = stored(registry, 'svc_http_requests_total')
  const histograms = stored(registry, 'svc_http_request_duration_seconds')
  const bounds = histograms.upperBounds!
  const keys = bounds.map(String)
  const known = new Map<string, Map<string, Map<number, HttpSeries>>>()

  const first = (method: string, path: string, status: number, seconds: number): void => {
    const labels = requests.bound({ method, path, status: String(status) })
    requests.take(labels, 1)
    durations.take(labels, seconds)
    // What was bounded to `other` goes this way each time, so that the map stays bounded too.
    if (labels['path'] !== path) return
    const [counter, histogram] = [findSeries(counters, labels), findSeries(histograms, labels)]
    if (counter === undefined || histogram === undefined) return
    const byMethod = getOrMake(known, path, () => new Map<string, Map<number, HttpSeries>>())
    getOrMake(byMethod, method, () => new Map<number, HttpSeries>()).set(status, { counter, histogram })
  }
  // Requests of one kind come in rows.
  let last: { method: string; path: string; status: number; series: HttpSeries } | undefined
  return (method, path, status, seconds) => {
    if (last === undefined || last.path !== path || last.method !== method || last.status !== status) {
      const shown = knownMethod(method)
      const series = known.get(path)?.get(shown)?.get(status)
      if (series === undefined) return first(shown, path, status, seconds)
      last = { method, path, status, series }
    }
    const { counter, histogram } = last.series
    counter.value! += 1
    histogram.count! += 1
    histogram.sum! += seconds
    for (let index = 0; index < bounds.length; index++) {
      if (seconds <= bounds[index]!) {
        histogram.bucketValues![keys[index]!]! += 1
        return
      }
    }
  }
}

interface HttpSeries {
  readonly counter: StoredSeries
  readonly histogram: StoredSeries
}

function stored(registry: Registry, name: FamilyName): StoredMetric {
  return registry.getSingleMetric(name) as unknown as StoredMetric
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
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
      return { bound, take, move: take }
    }
    case 'gauge': {
      const gauge = new Gauge(config)
      const set = when(Number.isFinite, (labels, value) => gauge.set(labels, value))
      return { bound, take: set, move: when(Number.isFinite, (labels, change) => gauge.inc(labels, change)) }
    }
    case 'histogram': {
      const histogram = new Histogram({ ...config, buckets: [...family.buckets!] })
      const take = when(Number.isFinite, (labels, value) => histogram.observe(labels, value))
      return { bound, take, move: take }
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
