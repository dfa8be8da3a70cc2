/** `svc health`: probes a running service, for containers without another HTTP client. */
import { type RequestOptions, request } from 'node:http'
import { homedir } from 'node:os'
import type { Duplex } from 'node:stream'
import { parseArgs } from 'node:util'
import type { Command, CommandIo } from '../../core/declare/command.ts'
import type { Manifest } from '../../core/declare/manifest.ts'
import { socketPath } from '../../core/kernel/settings/paths.ts'
import type {} from '../transport/tls/client/api.ts'
import type {} from '../transport/unix/api.ts'
import { usageFail } from './arguments.ts'
import { meantOption } from './run-command.ts'

/** Time limit of a probe, in milliseconds; each check of the service takes at most 500 ms. */
const PATIENCE_MS = 5_000
/** Largest body that is read, because another program on the port may send anything. */
const MAX_BODY_BYTES = 65_536

/** The command for a profile. With `--local` it probes over the Unix socket, if the profile has one. */
export function healthCommand(manifest: Manifest): Command {
  const local = manifest.settings.includes('sync.socket_path')
  return {
    name: 'health',
    summary: 'asks the running service whether it is ready; for container health checks',
    help: `Usage: svc health [--live] [--address <host:port>]${local ? ' [--local]' : ''} [--config <file.json>]

Asks /readyz of the runtime server at server.host and server.port, prints the answer, and exits with 0 where it is ready
and with 1 where it is not or does not answer within ${PATIENCE_MS / 1000} s. --live asks /health, which looks at nothing but the process.
${local ? '--local asks /ready (with --live: /health) of the local sync API over its socket.\n' : ''}
  HEALTHCHECK CMD ["/svc", "health"]`,
    run: async (args, io) => {
      const wish = readWish(args, local)
      const path = wish.live === true ? '/health' : wish.local === true ? '/ready' : '/readyz'
      const place = wish.local === true ? socketOf(io) : addressOf(wish.address, io)
      if (place === undefined) {
        io.err(
          'svc health: server.port is 0, so the address is not known.\n  → Give --address host:port; the log says it at start.',
        )
        return 1
      }
      const { status, text } = await ask(place, path, io)
      io[status === 200 ? 'out' : 'err'](text)
      return status === 200 ? 0 : 1
    },
  }
}

type Place = { readonly socketPath: string } | { readonly host: string; readonly port: number }

interface Wish {
  readonly live?: boolean
  readonly local?: boolean
  readonly address?: string
}

/** @throws SvcError `ERR_USAGE` */
function readWish(args: readonly string[], local: boolean): Wish {
  const flag = { type: 'boolean' } as const
  const options = { live: flag, local: flag, address: { type: 'string' } as const }
  let wish: Wish
  try {
    wish = parseArgs({ args: [...args], options }).values
  } catch (cause) {
    const { message } = cause as Error
    const near = meantOption(message, ['--live', '--local', '--address', '--config'])
    throw usageFail('ERR_USAGE', {
      message,
      hint: near === undefined ? 'svc health --help' : `Did you mean ${near}?`,
      cause,
    })
  }
  if (wish.local === true && !local)
    throw usageFail('ERR_USAGE', { message: '--local asks the local sync API, which this profile does not have.' })
  if (wish.address !== undefined && !/^.+:\d{1,5}$/.test(wish.address))
    throw usageFail('ERR_USAGE', { message: '--address is host:port, such as 127.0.0.1:8080.' })
  return wish
}

function addressOf(address: string | undefined, io: CommandIo): Place | undefined {
  const at = address?.lastIndexOf(':') ?? 0
  const host = address === undefined ? String(io.setting('server.host')) : address.slice(0, at)
  const port = address === undefined ? Number(io.setting('server.port')) : Number(address.slice(at + 1))
  // A listener on every address answers on the loopback address.
  const loopbacks: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1', '[::]': '::1' }
  return port === 0 ? undefined : { host: loopbacks[host] ?? host.replace(/^\[|\]$/g, ''), port }
}

function socketOf(io: CommandIo): Place {
  const setting = (key: string): string | null => io.setting(key) as string | null
  const context = { environment: io.environment, home: homedir }
  return { socketPath: socketPath(setting('sync.socket_path'), setting('storage.dir'), context) }
}

function shown(place: Place): string {
  return 'socketPath' in place ? place.socketPath : `${place.host}:${place.port}`
}

/** Returns the function that connects to a service with TLS; undefined for a service without TLS. */
function connectionFor(place: Place, io: CommandIo): ((signal: AbortSignal) => Promise<Duplex>) | undefined {
  if ('socketPath' in place) return undefined
  const connect = io.find('OwnTls')?.connect
  return connect === undefined ? undefined : (signal) => connect(place, signal)
}

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

async function ask(place: Place, path: string, io: CommandIo): Promise<Answer> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
  try {
    const connect = connectionFor(place, io)
    const socket = await connect?.(patience.signal)
    return await get(
      { ...place, ...(socket === undefined ? { agent: false } : { createConnection: () => socket }) },
      path,
      patience.signal,
    )
  } catch (error) {
    const failure = io.find('LocalFailure')
    if (!patience.signal.aborted && failure !== undefined && 'socketPath' in place)
      return { status: undefined, text: failure(error) }
    const reason = patience.signal.aborted ? `no answer within ${PATIENCE_MS} ms` : (error as Error).message
    return { status: undefined, text: `No answer from ${shown(place)}: ${reason}` }
  } finally {
    clearTimeout(timer)
  }
}

function get(options: RequestOptions, path: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, path, signal, headers: { host: 'localhost' } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.length > MAX_BODY_BYTES) sent.destroy(new Error('an answer too long for a probe'))
      })
      response.once('end', () => resolve({ status: response.statusCode, text: text.trim() }))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}
