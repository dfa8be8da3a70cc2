/** The one shape of a log entry, which both sinks write and every format prints. */
import type { LogRecord } from '../../../core/log.ts'
import { type LogValue, toLogValue } from './log-value.ts'

/** A message with its fields, `trace_id` and `span_id`. */
export interface LogBody {
  readonly message: string
  readonly [field: string]: LogValue
}

/** A record as plain data, in printing order: `timestamp`, `level`, `target`, then the body. */
export interface TimedEntry extends LogBody {
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string
  readonly level: string
  readonly target: string
}

/** The entry of a record. */
export function toEntry(record: LogRecord): TimedEntry {
  const { timeMs, level, target } = record
  return { timestamp: toTimestamp(timeMs), level: level.toUpperCase(), target, ...toBody(record) }
}

/** What follows the head. A field that has the name of a fixed member is put behind `field_`. */
export function toBody({ message, fields, trace }: LogRecord): LogBody {
  const body: { message: string; [field: string]: LogValue } = { message }
  if (fields !== undefined) {
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue
      const value = toLogValue(name, fields[name])
      if (value !== undefined) body[reserved.has(name) ? `field_${name}` : name] = value
    }
  }
  if (trace !== undefined) {
    body['trace_id'] = trace.traceId
    body['span_id'] = trace.spanId
  }
  return body
}

/** A time as RFC 3339 text. A clock that is out of range prints the epoch, so that writing never throws. */
export function toTimestamp(timeMs: number): string {
  if (timeMs === lastMs) return lastText
  const time = new Date(timeMs)
  lastText = (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString()
  lastMs = timeMs
  return lastText
}

/** Many records fall into one millisecond under load, and printing a date costs a microsecond. */
let lastMs = Number.NaN
let lastText = ''

// `__proto__` as a member name would set the prototype and vanish from the output.
const reserved: ReadonlySet<string> = new Set([
  'timestamp',
  'level',
  'target',
  'message',
  'trace_id',
  'span_id',
  '__proto__',
])
