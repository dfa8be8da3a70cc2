/** Reads the arguments of a command. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The options and the other arguments of a list. Throws `UsageError` for wrong ones. */
export function readOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}
