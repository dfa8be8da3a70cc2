import { homedir } from 'node:os'
import type { CommandIo } from '../../../../core/command.ts'
import { socketPath } from '../../../../core/settings/paths.ts'

/** The path of the socket in the settings of a command. */
export function configuredSocket(io: CommandIo): string {
  const setting = (key: string): string | null => io.setting(key) as string | null
  return socketPath(setting('sync.socket_path'), setting('storage.dir'), {
    environment: io.environment,
    home: homedir,
  })
}
