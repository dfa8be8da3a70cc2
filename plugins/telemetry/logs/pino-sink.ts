/**
 * The sink of the server profiles: pino writes the JSON.
 *
 * pino's own transports are worker files, which a bundle and a single executable do not have, and its own destination
 * blocks or loses lines on a slow pipe; so it gets a destination that is ours.
 */
import { pino } from 'pino'
import type { LogLevel, LogSink } from '../../../core/log.ts'
import { type TimedEntry, toBody, toTimestamp } from './entry.ts'
import { printEntry } from './formats.ts'
import type { SinkOptions } from './sink-options.ts'

/** Makes a sink whose lines equal those of the small sink, member for member. */
export function createPinoSink({ filter, format, color, write, flush }: SinkOptions): LogSink {
  let head = ''
  const heads = createHeads()
  const print =
    format === 'json' ? write : (line: string) => write(printEntry(JSON.parse(line) as TimedEntry, format, color))
  const logger = pino(
    {
      level: 'trace',
      base: null,
      // The filter has decided before pino is asked, so pino opens the object with nothing, and what it takes for the
      // time, without the usual comma before it, is the whole head of the entry.
      // The body travels in a wrapper: pino takes a bare object with method, headers and socket for a request of node:http.
      formatters: { level: () => ({}), log: ({ body }) => body as Record<string, unknown> },
      timestamp: () => head,
    },
    { write: print },
  )
  return {
    enabled: filter.enabled,
    write(record) {
      head = `"timestamp":"${toTimestamp(record.timeMs)}${heads(record.level, record.target)}`
      logger[record.level]({ body: toBody(record) })
    },
    ...(flush && { flush }),
  }
}

/** Targets are written in code, so there are dozens; the bound is for one that is made of data. */
const KNOWN_TARGETS = 1_000

/** Prints level and target, which come in few combinations, once for each. */
function createHeads(): (level: LogLevel, target: string) => string {
  const known = new Map<string, Map<LogLevel, string>>()
  return (level, target) => {
    let levels = known.get(target)
    if (levels === undefined) {
      levels = new Map()
      if (known.size < KNOWN_TARGETS) known.set(target, levels)
    }
    let head = levels.get(level)
    if (head === undefined) {
      head = `","level":"${level.toUpperCase()}","target":${JSON.stringify(target)}`
      levels.set(level, head)
    }
    return head
  }
}
