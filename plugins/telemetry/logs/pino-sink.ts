/**
 * The sink of the server profiles. pino prints a line in a third of the time that the small sink takes, and its code takes longer
 * to load than the first hundred lines of either; they are the same, so the small one writes those.
 */
import type { LogSink } from '../../../core/log.ts'
import { createLiteSink } from './lite-sink.ts'
import type { SinkOptions } from './sink-options.ts'

/** How many lines are printed before pino is loaded. */
const LINES_BEFORE_PINO = 100

/** Makes the sink. Where pino cannot be loaded, the small one goes on. */
export function createPinoSink(options: SinkOptions): LogSink {
  const { filter, flush } = options
  let sink = createLiteSink(options)
  let lines = 0
  const load = async (): Promise<void> => {
    const { createPinoLines } = await import('./pino-lines.ts')
    sink = createPinoLines(options)
  }
  return {
    enabled: filter.enabled,
    write: (record) => {
      sink.write(record)
      if (++lines === LINES_BEFORE_PINO) void load().catch(() => undefined)
    },
    ...(flush && { flush }),
  }
}
