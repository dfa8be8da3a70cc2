/** Variant `pino`: for the server profiles. */
import { openLogDestination } from './node-destination.ts'
import { createPinoSink } from './pino-sink.ts'
import type { LogVariant } from './variant.ts'

/** The log. */
export const variant: LogVariant = { createSink: createPinoSink, open: openLogDestination }
