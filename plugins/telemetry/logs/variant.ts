/** What the variants of the log implement: the sink, and the destination of printed lines. */
import type { LogSink } from '../../../core/kernel/log.ts'
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

/** A destination of printed lines. */
export interface LogDestination {
  /** Whether lines may have colours, which is so for terminals only. */
  readonly color: boolean
  write(line: string): void
  /** Resolves when all lines are written, or when the reader makes no progress. */
  flush?(): Promise<void>
  /** Calls `count` for dropped lines; returns a function that ends the calls. */
  onDropped?(count: (lines: number) => void): () => void
}

/** The parts of a variant. */
export interface LogVariant {
  readonly createSink: (options: SinkOptions) => LogSink
  readonly open: (format: LogFormat, color: boolean) => LogDestination
}
