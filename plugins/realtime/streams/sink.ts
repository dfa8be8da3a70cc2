import type { Clock } from '../../../core/environment.ts'

export type { StreamSink } from '../../../core/http/reply.ts'

/** The clock of the streams. Tests replace it. */
export type StreamClock = Pick<Clock, 'now' | 'monotonic' | 'setTimeout' | 'clearTimeout'>
