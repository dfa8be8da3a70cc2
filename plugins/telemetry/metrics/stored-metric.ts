/**
 * How prom-client 15 keeps a metric. Its public interface takes a hash of all labels for each value and gives whole
 * families only; the hot path and the scrape look at what is stored instead. The version is pinned, and a test holds it
 * to this shape.
 */
import type { Awaitable } from '../../../core/awaitable.ts'

/** A metric of a registry. */
export interface StoredMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly upperBounds?: readonly number[]
  readonly hashMap: Readonly<Record<string, StoredSeries>>
  collect?(): Awaitable<void>
}

/** One combination of label values. */
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string | number>>
  /** Of a counter or a gauge. */
  value?: number
  /** Of a histogram: observations by the first bound that they keep below, not yet added up. */
  readonly bucketValues?: Record<number | string, number>
  sum?: number
  count?: number
}

/** The series that was recorded with this very object of labels. */
export function findSeries(metric: StoredMetric, labels: StoredSeries['labels']): StoredSeries | undefined {
  return Object.values(metric.hashMap).find((series) => series.labels === labels)
}
