/** Runs a command: what it throws becomes messages and an exit code. */
import { type Command, type CommandIo, UsageError } from '../../core/command.ts'
import { isSvcError } from '../../core/errors.ts'
import { nearest } from '../../core/settings/suggest.ts'

/** Exit codes of commands; 64 as in sysexits.h of BSD. */
const FAILED = 1
const USAGE = 64

/** Returns the exit code. Throws errors of settings and of the command line as a whole. */
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

/** Errors that the program reports itself, with an exit code of their own. */
const tellsItself = ['ERR_USAGE', 'ERR_SETTINGS_INVALID', 'ERR_SETTING_UNUSABLE'] as const

/** The option that was probably meant by the one which `parseArgs` of Node says that it does not know. */
export function meantOption(message: string, options: readonly string[]): string | undefined {
  const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? []
  return unknown === undefined ? undefined : nearest(unknown, options)
}

/** Whether an error means wrong usage: a `UsageError` of a command, or a refusal of Node's `parseArgs`. */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_')
}
