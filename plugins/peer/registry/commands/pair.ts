/**
 * `svc peer pair` and `svc peer join`: two nodes enter each other with one code. Both commands need the running
 * service.
 */

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type CommandIo, CommandRefusal, UsageError } from '../../../../core/declare/command.ts'
import type {} from '../../../transport/unix/api.ts'
import { joinCommand, pairCommand } from '../command-lines.ts'

/** The options of both commands. */
const OPTIONS = {
  address: { type: 'string', multiple: true },
  devices: { type: 'boolean' },
  label: { type: 'string' },
  project: { type: 'string', multiple: true },
} as const

/** Most characters of standard input: a pairing code and some white space. */
const MAX_CODE_LENGTH = 20_000

/** Prints a pairing code to stdout and instructions to stderr. */
export async function pair(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError('pair takes no name: options say what the other node may do')
  if (values.project === undefined)
    throw new UsageError('--project is missing: it names what the other node may read and hand in')
  const { code, expiresAtMs } = await send<{ code: string; expiresAtMs: number }>(io, 'pairings', toRequest(values))
  io.out(code)
  io.err(`This code lets one node in until ${new Date(expiresAtMs).toISOString()}. Give it to its owner alone. There:`)
  io.err(`${joinCommand({ devices: values.devices === true })}   (it reads the code from standard input)`)
}

/** Joins the node that made a code. */
export async function join(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [argument, ...more] = positionals
  if (argument === undefined || more.length > 0)
    throw new UsageError('name one pairing code, or - to read it from standard input')
  const code = (argument === '-' ? await readStdin() : argument).trim()
  const joined = await send<Joined>(io, 'join', { ...toRequest(values), code })
  const name = joined.label ?? `${joined.endpointId.slice(0, 12)}…`
  io.err(`Entered ${name} for ${joined.projects.join(', ')}. It has entered this node.`)
  if (joined.devicesExchanged)
    io.err(`Enrolled ${joined.enrolled} ${joined.enrolled === 1 ? 'device' : 'devices'} of ${name}.`)
  else if (values.devices === true)
    io.err(
      `No devices were exchanged: ${name} did not ask for it. There: ${pairCommand(joined.projects, true)}, then here: ${joinCommand({ devices: true })}`,
    )
}

/** The response to a join. */
interface Joined {
  readonly endpointId: string
  readonly label: string | null
  readonly projects: readonly string[]
  readonly enrolled: number
  readonly devicesExchanged: boolean
}

/** The common members of both requests. */
interface PairingRequest {
  readonly addresses: readonly string[] | null
  readonly devices: boolean
  readonly label: string | null
  readonly projects: readonly string[]
}

function toRequest(values: {
  readonly address?: readonly string[] | undefined
  readonly devices?: boolean | undefined
  readonly label?: string | undefined
  readonly project?: readonly string[] | undefined
}): PairingRequest {
  const { address = null, devices = false, label = null, project = [] } = values
  return { addresses: address, devices, label, projects: project }
}

async function send<T>(io: CommandIo, what: string, body: object): Promise<T> {
  try {
    const service = io.use('LocalService')()
    return await service.send<T>('POST', `/api/v1/peers/${what}`, 'application/json', JSON.stringify(body))
  } catch (error) {
    if (!(error instanceof CommandRefusal)) throw error
    const away = error.code === 'service_away' ? ' Pairing needs the running service: svc --mode sync' : ''
    throw new CommandRefusal(error.code, `${error.message}${away}`, error.details)
  }
}

/** Reads standard input to its end. Throws if it is longer than any code. */
async function readStdin(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_CODE_LENGTH)
      throw new UsageError(`standard input is no pairing code: it has more than ${MAX_CODE_LENGTH} characters`)
  }
  return text
}

/** The options and positionals of an argument list. Throws if an option is unknown or lacks its value. */
export function readArguments<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}
