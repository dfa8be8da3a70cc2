/** Reads the arguments of `svc peer`. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The values and words of an argument list. Wrong ones are thrown as wrong usage. */
export function readArguments<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}
