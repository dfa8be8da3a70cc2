/** The commands of boards. */
import type { Command } from '../../../core/command.ts'
import { boardCommand } from './board-command.ts'

/** `svc board`. */
export const commands: readonly Command[] = [boardCommand]
