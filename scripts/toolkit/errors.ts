/** Errors of `svc-build`, except those of the build itself. */
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'

type ToolCode =
  | 'ERR_TOOL_USAGE'
  | 'ERR_TOOL_INPUT'
  | 'ERR_TOOL_UNKNOWN'
  | 'ERR_TOOL_UNBUILT'
  | 'ERR_TOOL_VERIFY'
  | 'ERR_TOOL_FAILED'

/** Creates errors with the codes of the tool. */
export const toolFail: ErrorCatalogue<ToolCode> = defineErrors<ToolCode>({
  ERR_TOOL_USAGE: { message: 'The command was called with wrong arguments.' },
  ERR_TOOL_INPUT: { message: 'A file that was named cannot be used.' },
  ERR_TOOL_UNKNOWN: { message: 'There is nothing of that name.' },
  ERR_TOOL_UNBUILT: { message: 'That has not been built.' },
  ERR_TOOL_VERIFY: { message: 'What lies there is not what was signed or proven.' },
  ERR_TOOL_FAILED: { message: 'A step failed.' },
})

/** Exit codes; 64 and 78 as in sysexits.h of BSD. The number of a signal is added to `signal`, as shells do. */
export const EXIT = { done: 0, failed: 1, usage: 64, configuration: 78, signal: 128 } as const

/** The exit code of an error: 64 for wrong usage, 78 for a profile or an input that cannot be read, or else 1. */
export function exitCodeOf(code: string): number {
  if (code === 'ERR_TOOL_USAGE') return EXIT.usage
  return /^ERR_(?:PROFILE_(?:NOT_FOUND|INVALID)|TOOL_INPUT|TOOL_UNBUILT)$/.test(code) ? EXIT.configuration : EXIT.failed
}
