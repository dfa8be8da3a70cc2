/** `svc socket`: where the local sync API listens, for scripts and curl. */
import { resolve } from 'node:path'
import { type Command, UsageError } from '../../../../core/command.ts'
import type {} from '../../capabilities.ts'
import { readOptions } from './arguments.ts'
import { configuredSocket } from './configured-socket.ts'
import { noAnswer } from './local-client.ts'
import { openService } from './service.ts'

/** The command `socket`. */
export const socketCommand: Command = {
  name: 'socket',
  summary: 'print the path of the Unix socket of the local sync API',
  help: `Usage: svc socket [--config <file.json>]

Prints the path that the service listens on with the same settings: curl --unix-socket "$(svc socket)" http://svc/ready`,
  async run(args, io) {
    if (readOptions(args, {}).positionals.length > 0) throw new UsageError('it takes no arguments')
    io.out(resolve(configuredSocket(io)))
    return 0
  },
  gives: {
    LocalService: (io) => (socketPath) => openService(io, socketPath),
    LocalSocket: (io) => () => resolve(configuredSocket(io)),
    LocalFailure: (io) => (error) => noAnswer(resolve(configuredSocket(io)), error),
  },
}
