/**
 * The one recorder of a process. Runtimes that live in one process share it, and another component that put itself in
 * its place first keeps that place.
 */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { type Share, shareInProcess } from '../../../core/process-slot.ts'
import { printRegistries } from './exposition.ts'
import { createInstruments, type Instruments } from './instruments.ts'

/** The recorder, of which a process has one. Another bundle of this service may find it there and use it. */
export interface Recorder {
  readonly instruments: Instruments
  /** The bytes of a scrape. Scrapes that overlap share one. */
  scrape(): Promise<Uint8Array>
}

/** A share in the recorder of the process; undefined where another component holds its place. The last one takes it away, and its counts with it. */
export function acquireRecorder(): Share<Recorder> | undefined {
  return shareInProcess(globalThis, 'svc.metrics.recorder', createRecorder)
}

function createRecorder(): Recorder {
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
