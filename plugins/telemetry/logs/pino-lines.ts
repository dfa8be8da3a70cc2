/**
 * The sink of a server with much to say: pino writes the JSON.
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
export function createPinoLines({ filter, format, color, write, flush }: SinkOptions): LogSink {
  const heads = createHeads()
  const print =
    format === 'json' ? write : (line: string) => write(printEntry(JSON.parse(line) as TimedEntry, format, color))
  // The filter has decided before pino is asked, so pino opens the object with nothing, and what it takes for the time,
  // without the usual comma before it, is the whole head of the entry.
  const logger = pino({ level: 'trace', base: null, formatters: { level: () => ({}) } }, { write: print })
  const toLine = (logger as unknown as Record<symbol, PrintLine>)[pino.symbols.asJsonSym]!
  const number = pino.levels.values['info']!
  return {
    enabled: filter.enabled,
    write(record) {
      const head = `"timestamp":"${toTimestamp(record.timeMs)}${heads(record.level, record.target)}`
      print(toLine.call(logger, toBody(record), undefined, number, head))
    },
    ...(flush && { flush }),
  }
}

/**
 * pino's printing of one line, which it exports for its own extensions: the methods around it spend as long again on
 * interpolation, mixins and a look for requests of node:http, for none of which there is a use here.
 */
type PrintLine = (this: unknown, fields: object, message: undefined, level: number, head: string) => string

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
