/** What the two log sinks have in common. */
import type { LogFormat } from './formats.ts'
import type { LevelFilter } from './level-filter.ts'

/** How a sink prints, and where to. */
export interface SinkOptions {
  readonly filter: LevelFilter
  readonly format: LogFormat
  /** Whether `compact` and `pretty` use colour: true for a terminal only. */
  readonly color: boolean
  /** Takes one printed entry with its newline. Never throws and never blocks. */
  readonly write: (line: string) => void
  /** Resolves when what was written has left the process. */
  readonly flush?: () => Promise<void>
}
