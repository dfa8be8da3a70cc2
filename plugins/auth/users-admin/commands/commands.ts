/** The commands of `auth.users-admin`. */
import type { Command } from '../../../../core/declare/command.ts'
import { keyCommand } from './key.ts'
import { userCommand } from './user.ts'

/** `svc key` and `svc user`. */
export const commands: readonly Command[] = [keyCommand, userCommand]
