/** The sink of a host that takes the entries itself. */
import type { LogSink } from '../../../core/log.ts'
import type { LogOutput } from '../api.ts'
import { toEntry } from './entry.ts'
import { type LogFormat, printEntry } from './formats.ts'
import type { LevelFilter } from './level-filter.ts'

/** Makes a sink that hands every wanted entry to `output`, as data and as a printed line. */
export function createHostSink(filter: LevelFilter, format: LogFormat, output: LogOutput): LogSink {
  return {
    enabled: filter.enabled,
    write(record) {
      const entry = toEntry(record)
      try {
        output(entry, printEntry(entry, format, false))
      } catch {
        // The host's log is the host's: a failure of it must not reach the code that logged.
      }
    },
  }
}
