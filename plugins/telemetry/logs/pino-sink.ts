/**
 * The sink of the server profiles: pino writes the JSON.
 *
 * pino's own transports are worker files, which a bundle and a single executable do not have, and its own destination
 * blocks or loses lines on a slow pipe. So it writes to a destination of ours.
 */
import { type LoggerOptions, pino } from 'pino'
import type { LogRecord, LogSink } from '../../../core/log.ts'
import { type LogBody, type TimedEntry, toBody, toTimestamp } from './entry.ts'
import { printEntry } from './formats.ts'
import type { SinkOptions } from './sink-options.ts'

/** Makes a sink whose lines equal those of the small sink, member for member. */
export function createPinoSink({ filter, format, color, write, flush }: SinkOptions): LogSink {
  const print =
    format === 'json' ? write : (line: string) => write(printEntry(JSON.parse(line) as TimedEntry, format, color))
  let record: LogRecord | undefined
  const options: LoggerOptions = {
    // The filter has decided before pino is called.
    level: 'trace',
    base: null,
    formatters: { level: () => ({}) },
    // pino prints this text first: here it is the head of the entry, whose time is that of the record, which may be older than
    // the line. No comma in front, since the level, printed there, is part of the head.
    timestamp: () => (record === undefined ? '' : headOf(record)),
    // Values were made plain before: pino's own serializer of `err` would add to one.
    serializers: { err: (value: unknown) => value },
    mixin: (): LogBody | object => (record === undefined ? {} : toBody(record)),
  }
  const logger = pino(options, { write: print })
  return {
    enabled: filter.enabled,
    write(given) {
      record = given
      logger[given.level]({})
    },
    ...(flush && { flush }),
  }
}

function headOf({ timeMs, level, target }: LogRecord): string {
  return `"timestamp":"${toTimestamp(timeMs)}","level":"${level.toUpperCase()}","target":${JSON.stringify(target)}`
}
