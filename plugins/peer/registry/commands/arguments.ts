/** Reads the arguments of `svc peer`. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The options and positionals of an argument list. Throws if an option is unknown or lacks its value. */
export function readArguments<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}
