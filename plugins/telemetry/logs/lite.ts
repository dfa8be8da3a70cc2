/** Variant `lite`: the small sink on the standard output of a Node process. */
import { createLiteSink } from './lite-sink.ts'
import { openLogDestination } from './node-destination.ts'
import type { LogVariant } from './variant.ts'

/** The log. */
export const variant: LogVariant = { createSink: createLiteSink, open: openLogDestination }
