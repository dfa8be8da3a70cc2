/** The commands of boards. */
import type { Command } from '../../../core/command.ts'
import { auditCommand } from './audit-command.ts'
import { boardCommand } from './board-command.ts'

/** `svc audit` and `svc board`. */
export const commands: readonly Command[] = [auditCommand, boardCommand]
