/** The sink for a host that receives the entries itself. */
import type { LogSink } from '../../../core/log.ts'
import type { LogOutput } from '../api.ts'
import { toEntry } from './entry.ts'
import { type LogFormat, printEntry } from './formats.ts'

/** Creates a sink that passes each entry to `output`, as data and as a printed line. */
export function createHostSink(enabled: LogSink['enabled'], format: LogFormat, output: LogOutput): LogSink {
  return {
    enabled,
    write(record) {
      const entry = toEntry(record)
      try {
        output(entry, printEntry(entry, format, false))
      } catch {
        // An error in the host's log must not reach the code that logs.
      }
    },
  }
}
