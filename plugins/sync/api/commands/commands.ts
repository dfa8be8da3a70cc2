/** The commands of the sync API. */
import type { Command } from '../../../../core/command.ts'
import { deviceCommand } from './device.ts'
import { pushCommand } from './push.ts'

/** `svc device` and `svc push`. */
export const commands: readonly Command[] = [deviceCommand, pushCommand]
