/** Measures how late the event loop of this process runs due callbacks. A test adds this delay to its time limits. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Pause between two looks, in milliseconds. */
const LOOK_MS = 10

/** A measurement of the event loop. */
export interface LoopDelay {
  /** The longest delay since the last reset, in milliseconds. */
  readonly maxMs: number
  /** Forgets the delays so far. */
  reset(): void
}

/** Measures from now on. It keeps no process alive. */
export function measureLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: LOOK_MS })
  histogram.enable()
  return {
    get maxMs() {
      return histogram.max / 1e6
    },
    reset: () => histogram.reset(),
  }
}
