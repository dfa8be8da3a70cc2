/** What the TLS transport gives to commands of other families. */
import type { CommandGifts } from '../../../core/command.ts'
import type {} from './capabilities.ts'
import { openOwnTls } from './client/own-connection.ts'

/** Connections to the own service. */
export const commands: readonly CommandGifts[] = [{ gives: { OwnTls: openOwnTls } }]
