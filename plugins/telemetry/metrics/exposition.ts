/** Prints registries in the Prometheus text format 0.0.4, as prom-client writes it. */
import type { Registry } from 'prom-client'
import { joinBytes } from '../../../core/bytes.ts'

/** Milliseconds of work between two pauses: shorter than most requests, longer than the cost of a pause. */
const SLICE_MS = 2

/**
 * Returns the text of all metrics of some registries in UTF-8. `pause` lets other work run between two families. The result has
 * bytes, because encoding a string of many megabytes at the end would block the event loop.
 */
export async function printRegistries(
  registries: readonly Registry[],
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let until = performance.now() + SLICE_MS
  for (const registry of registries) {
    for (const { name } of registry.getMetricsAsArray()) {
      parts.push(encoder.encode(`${await registry.getSingleMetricAsString(name)}\n`))
      if (performance.now() > until) {
        await pause()
        until = performance.now() + SLICE_MS
      }
    }
  }
  return joinBytes(parts)
}
