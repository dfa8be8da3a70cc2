/** Runs a command, and converts its errors to messages and an exit code. */
import { type Command, type CommandIo, UsageError } from '../../core/declare/command.ts'
import { isSvcError } from '../../core/declare/errors.ts'
import { nearest } from '../../core/kernel/nearest.ts'

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
    if (isWrongUsage(error)) {
      // After the name of the option, parseArgs explains how to write an argument that begins with a hyphen.
      io.err(`svc ${command.name}: ${message.replace(/(?<=^Unknown option '[^']*')\. To specify[\s\S]*/, '')}`)
      const near = meantOption(message, command.help.match(/--[a-z][a-z-]*/g) ?? [])
      if (near !== undefined) io.err(`  → Did you mean ${near}?`)
      io.err(`  Usage: ${usageLine(command, args)}`)
      io.err(`  Help: svc ${command.name} --help`)
      return USAGE
    }
    io.err(`svc ${command.name}: ${message}`)
    if (isSvcError(error) && error.hint !== undefined) io.err(`  → ${error.hint}`)
    return FAILED
  }
}

/** Errors that the program itself reports, each with its own exit code. */
const tellsItself = ['ERR_USAGE', 'ERR_SETTINGS_INVALID', 'ERR_SETTING_UNUSABLE'] as const

/**
 * The option that is nearest to the unknown option in a message of Node's `parseArgs`; undefined if no option is near.
 */
export function meantOption(message: string, options: readonly string[]): string | undefined {
  const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? []
  return unknown === undefined ? undefined : nearest(unknown, options)
}

/** The usage line of the help that fits the arguments; the first line if none fits. */
function usageLine({ name, help }: Command, args: readonly string[]): string {
  const [usage = ''] = help.split('\n\n')
  const lines = usage
    .replace(/^Usage:/, '')
    .split('\n')
    .map((line) => line.trim())
  const verbs = args.filter((word) => /^[a-z][a-z-]*$/.test(word)).slice(0, 2)
  const starts = [verbs, verbs.slice(0, 1)].map((words) => ['svc', name, ...words].join(' '))
  return starts.flatMap((start) => lines.find((line) => `${line} `.startsWith(`${start} `)) ?? [])[0] ?? lines[0] ?? ''
}

/** Whether an error means wrong usage: a `UsageError` of a command, or a refusal of Node's `parseArgs`. */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_')
}
