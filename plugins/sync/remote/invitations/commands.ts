/** `svc device invite`: makes, lists and cancels invitations, for the owner of the data directory. */
import { parseArgs } from 'node:util'
import { type CommandGifts, type CommandIo, UsageError } from '../../../../core/declare/command.ts'
import { printable } from '../../../../core/kernel/printable.ts'
import type {} from '../../capabilities.ts'
import { createNodeInvitations, MAX_CODE_SECONDS } from './node-invitations.ts'
import type { Invitation } from './statements.ts'

/** A code is valid for ten minutes by default. */
const CODE_SECONDS = 600

const OPTIONS = {
  scope: { type: 'string', multiple: true },
  label: { type: 'string' },
  'expires-in': { type: 'string' },
  'code-expires-in': { type: 'string' },
  list: { type: 'boolean' },
  cancel: { type: 'string' },
} as const

/** The action `invite` of `svc device`. */
async function invite(args: readonly string[], io: CommandIo): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const { list, cancel, ...making } = values
  const kinds = [list, cancel, Object.keys(making).length > 0 || undefined].filter((kind) => kind !== undefined)
  if (kinds.length > 1) throw new UsageError('--list and --cancel take no other option')
  if (list === true) {
    for (const one of await createNodeInvitations(io).list()) io.out(toLine(one))
  } else if (cancel !== undefined) {
    if (!(await createNodeInvitations(io).cancel(cancel)))
      throw new Error(`There is no open invitation ${printable(cancel)}. svc device invite --list names them.`)
    io.err('Cancelled.')
  } else await make(making, io)
}

type Making = Omit<ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'], 'list' | 'cancel'>

async function make(options: Making, io: CommandIo): Promise<void> {
  const { scope: scopes = [], label = null } = options
  if (scopes.length === 0) throw new UsageError('--scope is missing')
  const deviceSeconds = options['expires-in'] === undefined ? null : secondsOf('--expires-in', options['expires-in'])
  const codeSeconds = secondsOf(
    '--code-expires-in',
    options['code-expires-in'] ?? String(CODE_SECONDS),
    MAX_CODE_SECONDS,
  )
  const invitations = createNodeInvitations(io)
  const made = await invitations.invite({ scopes, label, deviceSeconds, codeSeconds })
  // Two rows of the QR code are in a line.
  if (process.stderr.isTTY) io.err(invitations.drawn(made.code))
  io.out(made.code)
  io.err(`One device may use it, until ${new Date(made.expiresAtMs).toISOString()}, for ${scopes.join(', ')}.`)
}

function secondsOf(option: string, text: string, most = 999_999_999_999): number {
  if (!/^[1-9]\d{0,11}$/.test(text) || Number(text) > most)
    throw new UsageError(`${option} takes a number of seconds from 1 to ${most}`)
  return Number(text)
}

type Listed = Pick<Invitation, 'id' | 'state' | 'scopes' | 'label' | 'expiresAtMs' | 'keyId'>

function toLine({ id, state, scopes, label, expiresAtMs, keyId }: Listed): string {
  const end = new Date(expiresAtMs).toISOString()
  return [id, state, end, scopes.join(','), keyId ?? '', printable(label ?? '')].join('\t').trimEnd()
}

/** Given to `svc device` and the console. */
export const commands: readonly CommandGifts[] = [
  { gives: { InviteDevice: (io) => (args) => invite(args, io), NodeInvitations: createNodeInvitations } },
]
