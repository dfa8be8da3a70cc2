/** What the client of the runtime surface gives to commands of other families. */
import type { CommandGifts } from '../../../core/declare/command.ts'
import type {} from './api.ts'
import { createRuntimeClients } from './runtime-clients.ts'

/** Calls of the runtime surface. */
export const commands: readonly CommandGifts[] = [{ gives: { RuntimeClients: createRuntimeClients } }]
