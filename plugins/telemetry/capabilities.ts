/** What the telemetry features give to other plugins at run time. */
import type { LogOutput, Telemetry, Tracing } from './api.ts'

/** The capabilities of the telemetry features. */
export interface TelemetryCapabilities {
  Telemetry: Telemetry
  Tracing: Tracing
  /** Given by a host that wants the log entries itself. */
  LogOutput: LogOutput
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends TelemetryCapabilities {}
}
