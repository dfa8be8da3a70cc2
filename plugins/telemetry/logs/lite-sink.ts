/** The small sink, without dependencies on packages or on a platform. */
import type { LogSink } from '../../../core/kernel/log.ts'
import { toEntry } from './entry.ts'
import { printEntry } from './formats.ts'
import type { SinkOptions } from './variant.ts'

/** Creates a sink that prints records and passes the lines, newlines included, to `write`. */
export function createLiteSink({ enabled, format, color, write, flush }: SinkOptions): LogSink {
  return {
    enabled,
    write(record) {
      write(printEntry(toEntry(record), format, color))
    },
    ...(flush && { flush }),
  }
}
