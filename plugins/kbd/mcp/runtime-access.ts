/** Where the runtime surface is, and the credential for it: from the settings, a file or the environment. */
import { lstatSync, readFileSync } from 'node:fs'
import { type CommandIo, CommandRefusal, UsageError } from '../../../core/command.ts'
import type { RuntimeAccess } from './run-reports.ts'

/** Hosts to which a credential may go without TLS: it does not leave the machine. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/

/** Throws a `UsageError` for an origin to which no credential may be sent. */
export function openRuntimeAccess(
  { runtime, tokenFile }: { readonly runtime: string | undefined; readonly tokenFile: string | undefined },
  io: CommandIo,
): RuntimeAccess {
  const given = runtime === undefined ? undefined : checkOrigin(runtime)
  return {
    origin: () => given ?? configuredOrigin(io),
    token: () => {
      const token = (tokenFile === undefined ? io.environment['SVC_TOKEN'] : readToken(tokenFile))?.trim()
      if (token === undefined || token === '')
        throw new CommandRefusal('token_missing', 'There is no token or API key to report runs with.')
      return token
    },
  }
}

function checkOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && url.pathname === '/' && url.search === '' && url.username === ''
  if (!isOrigin || !(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))))
    throw new UsageError('--runtime takes an origin: https://host, or http:// and a loopback host')
  return url.origin
}

function configuredOrigin(io: CommandIo): string {
  const [host, port] = [io.setting('server.host') as string, io.setting('server.port') as number]
  if (port === 0)
    throw new CommandRefusal('runtime_away', 'server.port is 0: the address is not known; give --runtime.')
  // A service that listens everywhere is reached on this machine.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const origin = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  if (!LOOPBACK.test(new URL(origin).hostname))
    throw new CommandRefusal('runtime_away', `${origin} is no loopback address: give --runtime with https.`)
  return origin
}

/** Others must not be able to read it. */
function readToken(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new CommandRefusal('token_missing', `${file} must be a regular file of this user with mode 0600.`)
  return readFileSync(file, 'utf8')
}
