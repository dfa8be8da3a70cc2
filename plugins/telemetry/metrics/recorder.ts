/**
 * The one recorder of a process. Runtimes that live in one process share it, and another component that put itself in
 * its place first keeps that place.
 */
import { later } from '../../../core/later.ts'
import { type Share, shareInProcess } from '../../../core/process-slot.ts'
import type { Instruments, Recorder } from './instruments.ts'

/** A share in the recorder of the process; undefined where another component holds its place. The last one takes it away, and its counts with it. */
export function acquireRecorder(): Share<Recorder> | undefined {
  return shareInProcess(globalThis, 'svc.metrics.recorder', createRecorder)
}

/** How long after the recorder is made prom-client is loaded at the latest: no start waits for it, and no scrape misses much. */
const LOAD_AFTER_MS = 500
/** How many observations wait for it at most before it is loaded at once. */
const MOST_WAITING = 1_000

type Observation = (instruments: Instruments) => void

/** The recorder: observations wait until prom-client is loaded, soon after the start or with the first scrape. */
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
      // The scrape will say so. What was observed is not kept for ever.
      waiting = []
    }
  }
  const wait = (observation: Observation): void => {
    waiting.push(observation)
    if (waiting.length === MOST_WAITING) void loadQuietly()
  }
  const recorder: { instruments: Instruments; scrape(): Promise<Uint8Array> } = {
    instruments: {
      record: (name, labels, value) => wait((instruments) => instruments.record(name, labels, value)),
      move: (name, labels, change) => wait((instruments) => instruments.move(name, labels, change)),
      http: (method, path, status, seconds) => wait((instruments) => instruments.http(method, path, status, seconds)),
    },
    scrape: async () => (await load()).scrape(),
  }
  setTimeout(loadQuietly, LOAD_AFTER_MS).unref()
  return recorder
}
