/**
 * Writes a registry in the Prometheus text format 0.0.4 without holding the event loop.
 *
 * prom-client's own `metrics()` prints each family in one go: ten thousand series of a histogram stop every request for
 * a good part of a second. Here the series are printed one by one, with a pause whenever the slice is used up.
 */

import type { Registry } from 'prom-client'
import { joinBytes } from '../../../core/bytes.ts'
import type { StoredMetric, StoredSeries } from './stored-metric.ts'

/** Milliseconds of work between two pauses: short beside any request, long beside the cost of a pause. */
const SLICE_MS = 2

/**
 * The text of all metrics of some registries, in UTF-8; `pause` lets other work run. A series is printed whole, at one
 * moment. Bytes and not a string: to flatten and encode a string of many megabytes at the end would be one long stretch.
 */
export async function printRegistries(
  registries: readonly Registry[],
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let text = ''
  let until = performance.now() + SLICE_MS
  for (const metric of registries.flatMap((one) => one.getMetricsAsArray()) as unknown as StoredMetric[]) {
    await metric.collect?.()
    text += `# HELP ${metric.name} ${escapeHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n`
    for (const series of Object.values(metric.hashMap)) {
      text += printSeries(metric, series)
      if (performance.now() > until) {
        parts.push(encoder.encode(text))
        text = ''
        await pause()
        until = performance.now() + SLICE_MS
      }
    }
  }
  parts.push(encoder.encode(text))
  return joinBytes(parts)
}

function printSeries({ name, type, upperBounds = [] }: StoredMetric, series: StoredSeries): string {
  const labels = printLabels(series.labels)
  const braced = labels === '' ? '' : `{${labels}}`
  if (type !== 'histogram') return `${name}${braced} ${printNumber(series.value!)}\n`
  const open = `${name}_bucket{${labels === '' ? '' : `${labels},`}le="`
  let text = ''
  let cumulative = 0
  for (const bound of upperBounds) {
    cumulative += series.bucketValues![bound]!
    text += `${open}${bound}"} ${cumulative}\n`
  }
  return (
    `${text}${open}+Inf"} ${series.count}\n` +
    `${name}_sum${braced} ${printNumber(series.sum!)}\n${name}_count${braced} ${series.count}\n`
  )
}

function printLabels(labels: StoredSeries['labels']): string {
  let text = ''
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escapeValue(String(labels[name]))}"`
  return text
}

/** The values that have no digits are spelled as in Go. */
function printNumber(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')
}

function escapeValue(text: string): string {
  return /[\\"\n]/.test(text) ? escapeHelp(text).replace(/"/g, '\\"') : text
}
