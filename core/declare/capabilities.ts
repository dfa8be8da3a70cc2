/** Names of the capabilities of plugins and of commands, and the type of a store part. Other modules add members. */

import type { LogOutput, LogSink } from '../kernel/log.ts'
import type { MetricSink } from './metric.ts'
import type { Tracing } from './tracing.ts'

/**
 * The capabilities by name. A plugin adds its own in a `capabilities.ts`, so that other plugins get the types without
 * importing its code: `declare module '../../core/declare/plugin.ts' { interface Capabilities { Live: Live } }`. A
 * plugin outside of this project names the module `svc/plugin`.
 */
export interface Capabilities {
  /** The sink for log records. The kernel attaches the sink as soon as it is provided. */
  LogSink: LogSink
  /** Collects the metrics that plugins declare. The kernel declares them to it as soon as it is provided. */
  MetricSink: MetricSink
  /** Creates spans. */
  Tracing: Tracing
  /** Provided by a host that receives the log entries itself. */
  LogOutput: LogOutput
}

/**
 * What commands provide to commands of other families, by name. Families share nothing else. A family adds its own in
 * its `capabilities.ts`: `declare module '../../core/declare/plugin.ts' { interface CommandCapabilities { Quotes:
 * Quotes } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add to it.
export interface CommandCapabilities {}

/**
 * What a feature keeps in the store of the service, such as its tables. The family that has the store adds the members,
 * in the way of `CommandCapabilities`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add to it.
export interface StorePart {}
