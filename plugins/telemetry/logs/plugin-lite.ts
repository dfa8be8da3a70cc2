/** Variant `lite`: the small sink on the standard output of a Node process. */
import type { Plugin } from '../../../core/plugin.ts'
import { defineLogs } from './define-logs.ts'
import { createLiteSink } from './lite-sink.ts'
import { openLogDestination } from './node-destination.ts'

/** The log. */
export const plugin: Plugin = defineLogs({ createSink: createLiteSink, open: openLogDestination })
