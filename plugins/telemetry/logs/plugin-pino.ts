/** Variant `pino`: for the server profiles. */
import type { Plugin } from '../../../core/plugin.ts'
import { defineLogs } from './define-logs.ts'
import { openLogDestination } from './node-destination.ts'
import { createPinoSink } from './pino-sink.ts'

/** The log. */
export const plugin: Plugin = defineLogs({ createSink: createPinoSink, open: openLogDestination })
