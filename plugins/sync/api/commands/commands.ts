/** The commands of the sync API. */
import type { Command } from '../../../../core/declare/command.ts'
import { deviceCommand } from './device.ts'
import { pushCommand } from './push.ts'
import { socketCommand } from './service.ts'
import { storeCommand } from './store.ts'

/** `svc device`, `svc push`, `svc socket` and `svc store`. */
export const commands: readonly Command[] = [deviceCommand, pushCommand, socketCommand, storeCommand]
