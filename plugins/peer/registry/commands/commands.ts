/** The commands of peers. */
import type { Command } from '../../../../core/declare/command.ts'
import { peerCommand } from './peer.ts'

/** `svc peer`. */
export const commands: readonly Command[] = [peerCommand]
