/** The capabilities that the telemetry features provide. */
import type { Telemetry } from './api.ts'

/** The capabilities of the telemetry features. */
export interface TelemetryCapabilities {
  Telemetry: Telemetry
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends TelemetryCapabilities {}
}
