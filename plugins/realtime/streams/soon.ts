import type { StreamClock } from './sink.ts'

/**
 * Puts work off until what is at hand is done, so that everything published until then leaves together. Where the
 * platform has `setImmediate` that is the end of this turn of the event loop, with all requests that came in with it;
 * elsewhere a timer of zero.
 */
export function createSoon(clock: StreamClock): (run: () => void) => void {
  const { setImmediate: immediate } = globalThis as { setImmediate?: (run: () => void) => unknown }
  return (run) => void (immediate === undefined ? clock.setTimeout(run, 0) : immediate(run))
}
