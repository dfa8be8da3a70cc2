/** `svc socket`: where the local sync API listens, for scripts and curl. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Command, CommandIo } from '../../../../core/command.ts'
import { socketPath } from '../../../../core/settings/paths.ts'
import { command, readOptions, UsageError } from './arguments.ts'

/** The command `socket`. */
export const socketCommand: Command = command({
  name: 'socket',
  summary: 'print the path of the Unix socket of the local sync API',
  help: `Usage: svc socket [--config <file.json>]

Prints the path that the service listens on with the same settings: curl --unix-socket "$(svc socket)" http://svc/ready`,
  async run(args, io) {
    if (readOptions(args, {}).positionals.length > 0) throw new UsageError('it takes no arguments')
    io.out(resolve(configuredSocket(io)))
    return 0
  },
})

/** The path of the socket by the settings of a command. */
export function configuredSocket(io: CommandIo): string {
  const setting = (key: string): string | null => io.setting(key) as string | null
  return socketPath(setting('sync.socket_path'), setting('storage.dir'), {
    environment: io.environment,
    home: homedir(),
  })
}
