/** The commands of the sync API. */
import type { Command } from '../../../../core/command.ts'
import { deviceCommand } from './device.ts'
import { pushCommand } from './push.ts'
import { socketCommand } from './socket.ts'

/** `svc device`, `svc push` and `svc socket`. */
export const commands: readonly Command[] = [deviceCommand, pushCommand, socketCommand]
