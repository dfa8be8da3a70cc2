/** The recorder after prom-client has been loaded. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { joinBytes } from '../../../core/kernel/bytes.ts'
import { createInstruments, type Recorder } from './instruments.ts'

/** Creates a recorder with its own registry. All recorders share the registry of the process metrics. */
export function createLoadedRecorder(): Recorder {
  const registry = new Registry()
  const process = processMetrics()
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  let running: Promise<Uint8Array> | undefined
  const scrape = (): Promise<Uint8Array> => {
    running ??= printRegistries([registry, process], pause).finally(() => {
      running = undefined
    })
    return running
  }
  return { instruments: createInstruments(registry), scrape }
}

/**
 * Returns the registry of the default metrics `process_*` and `nodejs_*`. prom-client cannot remove the observers of
 * these metrics, so they are created once per process.
 */
function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
    // promtool refuses these gauges, because they have the suffix of counters. The same gauges without the suffix
    // remain.
    for (const what of ['handles', 'requests', 'resources']) shared.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return shared
}

let shared: Registry | undefined

/** Milliseconds of work between two pauses: shorter than most requests, longer than the cost of a pause. */
const SLICE_MS = 2

/**
 * Returns the text of all metrics of some registries in UTF-8. `pause` lets other work run between two metrics. The
 * result has bytes, because encoding a string of many megabytes at the end would block the event loop.
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
