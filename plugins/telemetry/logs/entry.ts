/** The one shape of a log entry, which both sinks write and every format prints. */
import type { LogRecord } from '../../../core/log.ts'
import { type LogValue, toLogValue } from './log-value.ts'

/** A record as plain data, in printing order: `level`, `target`, `message`, the fields, `trace_id`, `span_id`. */
export interface LogEntry {
  readonly level: string
  readonly target: string
  readonly message: string
  readonly [field: string]: LogValue
}

/** An entry with the time in front (RFC 3339, UTC, milliseconds). */
export interface TimedEntry extends LogEntry {
  readonly timestamp: string
}

/** The entry of a record, without its time. A field that has the name of a fixed member is put behind `field_`. */
export function toEntry(record: LogRecord): LogEntry {
  const entry: { level: string; target: string; message: string; [field: string]: LogValue } = {
    level: record.level.toUpperCase(),
    target: record.target,
    message: record.message,
  }
  const { fields, trace } = record
  if (fields !== undefined) {
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue
      const value = toLogValue(name, fields[name])
      if (value !== undefined) entry[reserved.has(name) ? `field_${name}` : name] = value
    }
  }
  if (trace !== undefined) {
    entry['trace_id'] = trace.traceId
    entry['span_id'] = trace.spanId
  }
  return entry
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
let lastMs = 0
let lastText: string = new Date(0).toISOString()

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
