/** What the client of the runtime surface gives to commands. */
import type { RuntimeClients } from './api.ts'

declare module '../../../core/plugin.ts' {
  interface CommandCapabilities {
    /** Calls the runtime surface of a service. */
    RuntimeClients: RuntimeClients
  }
}
