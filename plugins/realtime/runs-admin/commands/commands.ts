/** The commands of `realtime.runs-admin`. */
import type { Command } from '../../../../core/command.ts'
import { runCommand } from './run.ts'

/** `svc run`. */
export const commands: readonly Command[] = [runCommand]
