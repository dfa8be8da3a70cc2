/** The capabilities that the telemetry features provide. */
import type { LogOutput, Telemetry, Tracing } from './api.ts'

/** The capabilities of the telemetry features. */
export interface TelemetryCapabilities {
  Telemetry: Telemetry
  Tracing: Tracing
  /** Provided by a host that receives the log entries itself. */
  LogOutput: LogOutput
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends TelemetryCapabilities {}
}
