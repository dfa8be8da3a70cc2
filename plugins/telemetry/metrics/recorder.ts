/**
 * The recorder of a process. All runtimes in a process share it. If another component has registered a recorder before,
 * that recorder stays.
 */
import { later } from '../../../core/kernel/later.ts'
import { type Share, shareInProcess } from '../../../core/kernel/process-slot.ts'
import type { Instruments, Recorder } from './instruments.ts'

/**
 * The name of the place in the process. It ends with the version of `Recorder`, which copies of other versions do not
 * share.
 */
const SLOT = 'svc.metrics.recorder.2'

/**
 * Returns a share in the recorder of the process, or undefined if another component has registered its own. Releasing
 * the last share removes the recorder and its counts.
 */
export function acquireRecorder(): Share<Recorder> | undefined {
  return shareInProcess(globalThis, SLOT, createRecorder)
}

/**
 * prom-client is loaded this long after the recorder is created, or at the first scrape, so that no start waits for it.
 */
const LOAD_AFTER_MS = 500
/** Number of waiting observations at which prom-client is loaded immediately. */
const MOST_WAITING = 1_000

type Observation = (instruments: Instruments) => void

/** Creates the recorder. Observations wait until prom-client is loaded. */
function createRecorder(): Recorder {
  let waiting: Observation[] = []
  const load = later(async () => {
    const { createLoadedRecorder } = await import('./loaded-recorder.ts')
    const loaded = createLoadedRecorder()
    recorder.instruments = loaded.instruments
    for (const observe of waiting) observe(loaded.instruments)
    waiting = []
    return loaded
  })
  const loadQuietly = async (): Promise<void> => {
    try {
      await load()
    } catch {
      // The next scrape reports the failure. The waiting observations are dropped to free memory.
      waiting = []
    }
  }
  const wait = (observation: Observation): void => {
    waiting.push(observation)
    if (waiting.length === MOST_WAITING) void loadQuietly()
  }
  const recorder: { instruments: Instruments; scrape(): Promise<Uint8Array> } = {
    instruments: {
      declare: (metrics) => wait((instruments) => instruments.declare(metrics)),
      record: (metric, labels, value) => wait((instruments) => instruments.record(metric, labels, value)),
      move: (metric, labels, change) => wait((instruments) => instruments.move(metric, labels, change)),
      begin: (metric, labels) => wait((instruments) => instruments.begin(metric, labels)),
      http: (method, path, status, seconds) => wait((instruments) => instruments.http(method, path, status, seconds)),
    },
    scrape: async () => (await load()).scrape(),
  }
  setTimeout(loadQuietly, LOAD_AFTER_MS).unref()
  return recorder
}
