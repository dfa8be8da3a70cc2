/**
 * The one recorder of a process. Runtimes that live in one process share it, and another component that put itself in
 * its place first keeps that place.
 */
import { collectDefaultMetrics, Registry } from 'prom-client'
import { printRegistries } from './exposition.ts'
import { createInstruments, type Instruments } from './instruments.ts'

/** The recorder as it stands in the process. Another bundle of this service may find it there and use it. */
export interface Recorder {
  readonly brand: 'svc'
  /** Grows with an incompatible change of the members below; another version counts as another component. */
  readonly version: 1
  readonly instruments: Instruments
  /** The bytes of a scrape. Scrapes that overlap share one. */
  scrape(): Promise<Uint8Array>
  /** Runtimes that use it now. */
  users: number
}

/** Where it stands on `globalThis`. */
const recorderKey: symbol = Symbol.for('svc.metrics.recorder')

/** The recorder, with one user more; undefined where another component holds its place. */
export function acquireRecorder(): Recorder | undefined {
  const present = slot[recorderKey]
  if (present === undefined) {
    const recorder = createRecorder()
    Object.defineProperty(globalThis, recorderKey, { value: recorder, configurable: true })
    return recorder
  }
  if (!isOurs(present)) return undefined
  present.users++
  return present
}

/** One user less. The last one takes the recorder away, and its counts with it. */
export function releaseRecorder(recorder: Recorder): void {
  if (--recorder.users === 0 && slot[recorderKey] === recorder) delete slot[recorderKey]
}

const slot = globalThis as unknown as Record<symbol, unknown>

function isOurs(value: unknown): value is Recorder {
  if (typeof value !== 'object' || value === null) return false
  const { brand, version } = value as Partial<Recorder>
  return brand === 'svc' && version === 1
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
  return { brand: 'svc', version: 1, instruments: createInstruments(registry), scrape, users: 1 }
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
