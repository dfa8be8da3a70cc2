/** Reads the arguments of a command. */

import { homedir } from 'node:os'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { CommandIo } from '../../../../core/declare/command.ts'
import { socketPath } from '../../../../core/kernel/settings/paths.ts'

/** The options and the other arguments of a list. Throws `UsageError` for wrong ones. */
export function readOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}

/** The path of the socket in the settings of a command. */
export function configuredSocket(io: CommandIo): string {
  const setting = (key: string): string | null => io.setting(key) as string | null
  return socketPath(setting('sync.socket_path'), setting('storage.dir'), {
    environment: io.environment,
    home: homedir,
  })
}
