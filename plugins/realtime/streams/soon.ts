import type { StreamClock } from './sink.ts'

/**
 * Delays work until the present work is done, so that everything published until then is sent together. On platforms with
 * `setImmediate` that is the end of this turn of the event loop, after all requests that arrived in it; elsewhere it is a timer of
 * 0 ms.
 */
export function createSoon(clock: StreamClock): (run: () => void) => void {
  const { setImmediate: immediate } = globalThis as { setImmediate?: (run: () => void) => unknown }
  return (run) => void (immediate === undefined ? clock.setTimeout(run, 0) : immediate(run))
}
