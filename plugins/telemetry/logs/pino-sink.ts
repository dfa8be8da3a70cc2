/**
 * The sink of the server profiles: pino writes the JSON.
 *
 * pino's own transports are worker files, which a bundle and a single executable do not have, and its own destination
 * blocks or loses lines on a slow pipe; so it gets a destination that is ours.
 */
import { pino } from 'pino'
import type { LogSink } from '../../../core/log.ts'
import { type TimedEntry, toEntry, toTimestamp } from './entry.ts'
import { printEntry } from './formats.ts'
import type { SinkOptions } from './sink-options.ts'

/** Makes a sink whose lines equal those of the small sink, member for member. */
export function createPinoSink({ filter, format, color, write, flush }: SinkOptions): LogSink {
  let timestamp = ''
  const print =
    format === 'json' ? write : (line: string) => write(printEntry(JSON.parse(line) as TimedEntry, format, color))
  const logger = pino(
    {
      level: 'trace',
      base: null,
      // The filter has decided before pino is asked, and the level stands in the entry in its place; so pino opens the
      // object with nothing, and the time follows without the usual comma before it.
      // The entry travels in a wrapper: pino takes a bare object with method, headers and socket for a request of node:http.
      formatters: { level: () => ({}), log: ({ entry }) => entry as Record<string, unknown> },
      timestamp: () => `"timestamp":"${timestamp}"`,
    },
    { write: print },
  )
  return {
    enabled: filter.enabled,
    write(record) {
      timestamp = toTimestamp(record.timeMs)
      logger[record.level]({ entry: toEntry(record) })
    },
    ...(flush && { flush }),
  }
}
