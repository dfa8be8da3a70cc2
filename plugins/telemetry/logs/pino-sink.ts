/**
 * The sink of the server profiles: pino writes the JSON.
 *
 * It writes to the destination of this folder. pino's transports are worker files, which bundles and single executables
 * do not have, and pino's own destination blocks or loses lines on a slow pipe.
 */
import { type LoggerOptions, pino } from 'pino'
import type { LogRecord, LogSink } from '../../../core/kernel/log.ts'
import { type LogBody, type TimedEntry, toBody, toTimestamp } from './entry.ts'
import { printEntry } from './formats.ts'
import type { SinkOptions } from './variant.ts'

/** Creates a sink whose lines have the same members as those of the small sink. */
export function createPinoSink({ enabled, format, color, write, flush }: SinkOptions): LogSink {
  const print =
    format === 'json' ? write : (line: string) => write(printEntry(JSON.parse(line) as TimedEntry, format, color))
  let record: LogRecord | undefined
  const options: LoggerOptions = {
    // Callers apply the filter before they write.
    level: 'trace',
    base: null,
    formatters: { level: () => ({}) },
    // pino prints this text first. It is the whole head of the entry: the time of the record, which may be older than
    // the line, its level and its target. It has no leading comma, because nothing is printed before it.
    timestamp: () => (record === undefined ? '' : headOf(record)),
    // Values are plain data already; pino's serializer of `err` would change them.
    serializers: { err: (value: unknown) => value },
    mixin: (): LogBody | object => (record === undefined ? {} : toBody(record)),
  }
  const logger = pino(options, { write: print })
  return {
    enabled,
    write(newRecord) {
      record = newRecord
      logger[newRecord.level]({})
    },
    ...(flush && { flush }),
  }
}

function headOf({ timeMs, level, target }: LogRecord): string {
  return `"timestamp":"${toTimestamp(timeMs)}","level":"${level.toUpperCase()}","target":${JSON.stringify(target)}`
}
