/** Variant `console`: the small sink for wherever fetch handlers run; the platform's console takes the lines. */
import type { Plugin } from '../../../core/plugin.ts'
import { defineLogs } from './define-logs.ts'
import { createLiteSink } from './lite-sink.ts'

/** The log. */
export const plugin: Plugin = defineLogs({
  createSink: createLiteSink,
  // The console adds the newline itself.
  open: () => ({ color: false, write: (line) => console.log(line.slice(0, -1)) }),
})
