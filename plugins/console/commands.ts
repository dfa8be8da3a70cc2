/** The command of the console. */
import type { Command } from '../../core/declare/command.ts'
import { consoleCommand } from './console-command.ts'

/** `svc console`. */
export const commands: readonly Command[] = [consoleCommand]
