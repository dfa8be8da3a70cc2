/** What the probes give to other plugins at run time. */
import type {} from '../../core/declare/plugin.ts'
import type { Readiness, ToolServers } from './api.ts'

/** The capabilities of the probes. */
export interface ProbeCapabilities {
  Readiness: Readiness
  ToolServers: ToolServers
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends ProbeCapabilities {}
}
