/** Variant `console`: the small sink for platforms with fetch handlers. It writes to the console of the platform. */
import { createLiteSink } from './lite-sink.ts'
import type { LogVariant } from './variant.ts'

/** The log. */
export const variant: LogVariant = {
  createSink: createLiteSink,
  // The console adds a newline.
  open: () => ({ color: false, write: (line) => console.log(line.slice(0, -1)) }),
}
