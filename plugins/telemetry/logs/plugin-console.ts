/** Variant `console`: the small sink for platforms with fetch handlers. It writes to the console of the platform. */
import type { Plugin } from '../../../core/plugin.ts'
import { defineLogs } from './define-logs.ts'
import { createLiteSink } from './lite-sink.ts'

/** The log. */
export const plugin: Plugin = defineLogs({
  createSink: createLiteSink,
  // The console adds a newline.
  open: () => ({ color: false, write: (line) => console.log(line.slice(0, -1)) }),
})
