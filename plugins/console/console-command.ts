/** The arguments of `svc console`. The server of the page is loaded only when the command runs. */
import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../core/declare/command.ts'
import type { ConsoleOptions } from './server/surfaces.ts'

const HELP = `Usage: svc console [--open] [--write [--key <file>]] [--port <n>] [--sub <user>] [--tenant <tenant>] [--scope "A B"]
       svc console --url <origin> --token-file <file> [--open] [--write] [--port <n>]

Shows the running service on a page in the browser: its streams, boards, peers and builds. The page sends its requests to this
process, which listens on 127.0.0.1, adds the credentials, and passes requests on to the runtime surface and to the Unix socket.
The printed address works once, and gives the browser a cookie. Enter prints a new address. Ctrl-C ends the console.

--open        open the browser
--write       pass on requests that change something; without it the console only reads
--key         the file with the private key of an enrolled device, which signs changes of boards
--port        the port of the page; by default a free port
--sub         the user of the page on the runtime surface; by default developer. The console creates a token for this user with
              security.jwt_secret, and a new token before the old one expires. --tenant and --scope are those of svc token.
--token-file  a file of mode 0600 with a bearer token or an API key, which is used instead of a created token. The file is
              read again when the service refuses the token.
--url         the runtime surface of a service elsewhere: https://host, or http:// and a loopback host. The local surface is
              not available then.`

const OPTIONS = {
  open: { type: 'boolean' },
  write: { type: 'boolean' },
  key: { type: 'string' },
  port: { type: 'string' },
  sub: { type: 'string' },
  tenant: { type: 'string' },
  scope: { type: 'string' },
  url: { type: 'string' },
  'token-file': { type: 'string' },
} as const

/** The command `console`. */
export const consoleCommand: Command = {
  name: 'console',
  summary: 'a page in the browser that shows the running service; --open opens it',
  help: HELP,
  async run(args, io) {
    const options = readOptions(args)
    const { serveConsole } = await import('./server/serve.ts')
    return serveConsole(options, io)
  },
}

/** @throws UsageError, or the error of `parseArgs` */
function readOptions(args: readonly string[]): ConsoleOptions {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const { open = false, write = false, key, port = '0', sub, tenant, scope, url, 'token-file': tokenFile } = values
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port takes a number up to 65535')
  if (key !== undefined && !write) throw new UsageError('--key signs changes: give --write too')
  if (url !== undefined && tokenFile === undefined) throw new UsageError('--url needs --token-file')
  if (url !== undefined && key !== undefined)
    throw new UsageError('--key is for the local surface, which is not available with --url')
  if (tokenFile !== undefined && [sub, tenant, scope].some((option) => option !== undefined))
    throw new UsageError('--sub, --tenant and --scope are for a token that the console creates, not for --token-file')
  if (sub === '' || tenant === '') throw new UsageError('--sub and --tenant need a name')
  return {
    isOpened: open,
    isWritable: write,
    keyFile: key,
    port: Number(port),
    sub: sub ?? 'developer',
    tenant,
    scope,
    url,
    tokenFile,
  }
}
