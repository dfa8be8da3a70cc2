import type { Clock } from '../../../core/kernel/environment.ts'

/** Delays a function. */
type Delay = (run: () => void) => void

const { setImmediate: immediate, WebSocketPair } = globalThis as { setImmediate?: Delay; WebSocketPair?: unknown }

/**
 * Whether a timer ends with the request in which it was set, and `setImmediate` too. So it is in workerd, the only
 * platform with a `WebSocketPair`.
 */
export const timersEndWithRequests: boolean = WebSocketPair !== undefined

/** Undefined in browsers, and where it would be lost. */
const lasting = timersEndWithRequests ? undefined : immediate

/**
 * Delays work until the present work is done, so that everything published until then is sent together. On platforms
 * with `setImmediate` that is the end of this turn of the event loop, after all requests that arrived in it. Elsewhere
 * it is a microtask, because a timer may be lost, and then readers would get nothing any more.
 */
export const soon: Delay = lasting ?? ((run) => queueMicrotask(run))

/** Delays work until the next turn of the event loop, so that other work gets the loop before. */
export function createTurn(clock: StreamClock): Delay {
  return lasting ?? ((run) => void clock.setTimeout(run, 0))
}

export type { StreamSink } from '../../../core/http/reply.ts'

/** The clock of the streams. Tests replace it. */
export type StreamClock = Pick<Clock, 'now' | 'monotonic' | 'setTimeout' | 'clearTimeout'>
