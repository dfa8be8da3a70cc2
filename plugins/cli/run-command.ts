/** Runs a command: what it throws becomes messages and an exit code. */
import { type Command, type CommandIo, UsageError } from '../../core/command.ts'
import { isSvcError } from '../../core/errors.ts'

/** Exit codes of commands; 64 as in sysexits.h of BSD. */
const FAILED = 1
const USAGE = 64

/** Gives the exit code. What is wrong with settings, or with the command line as a whole, is thrown on. */
export async function runCommand(command: Command, args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await command.run(args, io)
  } catch (error) {
    if (isSvcError(error, 'ERR_USAGE') || isSvcError(error, 'ERR_SETTINGS_INVALID')) throw error
    io.err(`svc ${command.name}: ${error instanceof Error ? error.message : String(error)}`)
    if (isWrongUsage(error)) {
      io.err(command.help)
      return USAGE
    }
    if (isSvcError(error) && error.hint !== undefined) io.err(`  → ${error.hint}`)
    return FAILED
  }
}

/** Wrong usage is what a command calls so, and what `parseArgs` of Node refuses. */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_')
}
