/** Runs a command: what it throws becomes messages and an exit code. */
import { type Command, type CommandIo, UsageError } from '../../core/command.ts'
import { isSvcError } from '../../core/errors.ts'
import { nearest } from '../../core/settings/suggest.ts'

/** Exit codes of commands; 64 as in sysexits.h of BSD. */
const FAILED = 1
const USAGE = 64

/** Gives the exit code. What is wrong with settings, or with the command line as a whole, is thrown on. */
export async function runCommand(command: Command, args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await command.run(args, io)
  } catch (error) {
    if (tellsItself.some((code) => isSvcError(error, code))) throw error
    const message = error instanceof Error ? error.message : String(error)
    io.err(`svc ${command.name}: ${message}`)
    if (isWrongUsage(error)) {
      const near = meantOption(message, command.help.match(/--[a-z][a-z-]*/g) ?? [])
      if (near !== undefined) io.err(`  → Did you mean ${near}?`)
      io.err(command.help)
      return USAGE
    }
    if (isSvcError(error) && error.hint !== undefined) io.err(`  → ${error.hint}`)
    return FAILED
  }
}

/** What the program as a whole tells of, with an exit code of its own. */
const tellsItself = ['ERR_USAGE', 'ERR_SETTINGS_INVALID', 'ERR_SETTING_UNUSABLE'] as const

/** The option that was probably meant by the one which `parseArgs` of Node says that it does not know. */
export function meantOption(message: string, options: readonly string[]): string | undefined {
  const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? []
  return unknown === undefined ? undefined : nearest(unknown, options)
}

/** Wrong usage is what a command calls so, and what `parseArgs` of Node refuses. */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_')
}
