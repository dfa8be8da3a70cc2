/** The small sink: no dependency and no platform; it hands finished lines to a function. */
import type { LogSink } from '../../../core/log.ts'
import { toEntry } from './entry.ts'
import { printEntry } from './formats.ts'
import type { SinkOptions } from './sink-options.ts'

/** Makes a sink that prints every wanted record and hands the line, newline included, to `write`. */
export function createLiteSink({ filter, format, color, write, flush }: SinkOptions): LogSink {
  return {
    enabled: filter.enabled,
    write(record) {
      write(printEntry(toEntry(record), format, color))
    },
    ...(flush && { flush }),
  }
}
