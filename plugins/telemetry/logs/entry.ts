/** The log entry that both sinks write and that all formats print. */
import type { LogRecord } from '../../../core/kernel/log.ts'
import { type LogValue, readMember, toLogValue } from './log-value.ts'

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

/** Converts a record to an entry. */
export function toEntry(record: LogRecord): TimedEntry {
  const { timeMs, level, target } = record
  return { timestamp: toTimestamp(timeMs), level: level.toUpperCase(), target, ...toBody(record) }
}

/**
 * Converts a record to the body of an entry. A field with the name of a fixed member gets the prefix `field_`. So does
 * a field whose name is a number, because JavaScript puts such members first, and the line must begin with its time.
 */
export function toBody({ message, fields, trace }: LogRecord): LogBody {
  const body: { message: string; [field: string]: LogValue } = { message }
  if (fields !== undefined) {
    for (const name in fields) {
      if (!Object.hasOwn(fields, name)) continue
      const value = toLogValue(name, readMember(fields, name))
      if (value !== undefined) body[reserved.has(name) || NUMBER.test(name) ? `field_${name}` : name] = value
    }
  }
  if (trace !== undefined) {
    body['trace_id'] = trace.traceId
    body['span_id'] = trace.spanId
  }
  return body
}

/** Formats a time as RFC 3339. A time out of range is printed as the epoch, so that writing never throws. */
export function toTimestamp(timeMs: number): string {
  if (timeMs === lastMs) return lastText
  const time = new Date(timeMs)
  lastText = (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString()
  lastMs = timeMs
  return lastText
}

/**
 * The last printed time. Under load many records have the same millisecond, and printing a date takes a microsecond.
 */
let lastMs = Number.NaN
let lastText = ''

const NUMBER = /^\d+$/

// Assigning to `__proto__` would set the prototype, and the field would be missing in the output.
const reserved: ReadonlySet<string> = new Set([
  'timestamp',
  'level',
  'target',
  'message',
  'trace_id',
  'span_id',
  '__proto__',
])
