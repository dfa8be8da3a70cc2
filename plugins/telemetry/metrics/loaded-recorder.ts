/** The recorder once prom-client is there. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { printRegistries } from './exposition.ts'
import { createInstruments, type Recorder } from './instruments.ts'

/** Makes a recorder over registries of its own; the metrics of the process are shared by all that it ever has. */
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
 * The usual `process_*` and `nodejs_*`. They watch the process through observers that prom-client cannot take away
 * again, so they are made once, however often a recorder comes and goes.
 */
function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
    // Gauges that are named like counters, which promtool objects to; each has a twin without the suffix.
    for (const what of ['handles', 'requests', 'resources']) shared.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return shared
}

let shared: Registry | undefined
