/** Reads the arguments of a command; wrong usage is told on stderr and ends with exit code 64. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, CommandIo } from '../../../../core/command.ts'
import { isSvcError } from '../../../../core/errors.ts'

/** Thrown by a command whose arguments are wrong. */
export class UsageError extends Error {}

/** The values and words of an argument list. Throws `UsageError`. */
export function readOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** A command whose failures become messages and exit codes. */
export function command(
  parts: Omit<Command, 'run'> & { run(args: readonly string[], io: CommandIo): Promise<number> },
): Command {
  return {
    ...parts,
    async run(args, io) {
      try {
        return await parts.run(args, io)
      } catch (error) {
        if (error instanceof UsageError) {
          io.err(`svc ${parts.name}: ${error.message}`)
          io.err(parts.help)
          return 64
        }
        // The program tells of them, with the exit code of a bad configuration.
        if (isSvcError(error, 'ERR_SETTINGS_INVALID') || isSvcError(error, 'ERR_SETTING_UNUSABLE')) throw error
        io.err(`svc ${parts.name}: ${error instanceof Error ? error.message : String(error)}`)
        if (isSvcError(error) && error.hint !== undefined) io.err(`  → ${error.hint}`)
        return 1
      }
    },
  }
}
