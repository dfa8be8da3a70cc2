import type { Clock } from '../../../core/environment.ts'

export type { StreamSink } from '../../../core/http/reply.ts'

/** Time as the streams see it, so that tests hold the clock. */
export type StreamClock = Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
