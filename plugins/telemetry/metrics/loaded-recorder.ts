/** The recorder after prom-client has been loaded. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { printRegistries } from './exposition.ts'
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
 * Returns the registry of the default metrics `process_*` and `nodejs_*`. prom-client cannot remove the observers of these
 * metrics, so they are created once per process.
 */
function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
    // promtool refuses these gauges, because they have the suffix of counters. The same gauges without the suffix remain.
    for (const what of ['handles', 'requests', 'resources']) shared.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return shared
}

let shared: Registry | undefined
