/** The options of both log sinks. */
import type { LogSink } from '../../../core/log.ts'
import type { LogFormat } from './formats.ts'

/** Filter, format and destination of a sink. */
export interface SinkOptions {
  /** The filter, which may change. */
  readonly enabled: LogSink['enabled']
  readonly format: LogFormat
  /** Whether `compact` and `pretty` use colours, which is so for terminals only. */
  readonly color: boolean
  /** Writes one printed entry, which includes its newline. Never throws and never blocks. */
  readonly write: (line: string) => void
  /** Resolves when all written entries have left the process. */
  readonly flush?: () => Promise<void>
}
