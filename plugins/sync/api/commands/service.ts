/** Requests of commands to the service that runs on the configured socket, and `svc socket`, which prints its path. */
import { resolve } from 'node:path'
import { type Command, type CommandIo, CommandRefusal, UsageError } from '../../../../core/declare/command.ts'
import { printable } from '../../../../core/kernel/printable.ts'
import type { LocalService } from '../../../transport/unix/api.ts'
import { configuredSocket, readOptions } from './arguments.ts'
import { noAnswer, send } from './local-client.ts'

/** Creates a client of the service at `socketPath`, by default at the configured socket. */
export function openService(io: CommandIo, socketPath: string | undefined): LocalService {
  const socket = socketPath ?? configuredSocket(io)
  const reach = async (...[method, path, type, body]: Parameters<LocalService['send']>) => {
    try {
      const answer = await send(socket, method, path, type === undefined ? {} : { 'content-type': type }, body)
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      const { statusCode: status } = answer
      if (status === undefined) throw new Error('a response without a status')
      return { status, bytes: Buffer.concat(chunks) }
    } catch (error) {
      throw new CommandRefusal('service_away', noAnswer(socket, error))
    }
  }
  const ask: LocalService['send'] = async <T>(...request: Parameters<LocalService['send']>): Promise<T> => {
    const { status, bytes } = await reach(...request)
    const value: unknown = JSON.parse(bytes.toString())
    // By the status, because an answer may have a member `error` of its own, as the record of a run has.
    if (status < 400) return value as T
    const { error } = value as { error: Readonly<Record<string, unknown>> }
    const member = typeof error['member'] === 'string' ? ` (${printable(error['member'])})` : ''
    throw new CommandRefusal(
      String(error['code']),
      `${status} ${String(error['code'])}: ${String(error['message'])}${member}`,
      error,
    )
  }
  return {
    get: (path) => ask('GET', path),
    send: ask,
    async getBytes(path) {
      const { status, bytes } = await reach('GET', path)
      return status === 200 ? bytes : undefined
    },
  }
}

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
