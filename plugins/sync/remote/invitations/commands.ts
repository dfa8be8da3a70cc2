/** `svc device invite`: makes, lists and cancels invitations, for the owner of the data directory. */
import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import qrcode from 'qrcode-generator'
import { type CommandGifts, type CommandIo, UsageError } from '../../../../core/command.ts'
import { printable } from '../../../../core/printable.ts'
import { withStore } from '../../api/commands/open-store.ts'
import type {} from '../../capabilities.ts'
import { requireRights } from '../../engine/devices/devices.ts'
import { createProjectFamilies } from '../../engine/devices/project-families.ts'
import { nativeSha256 } from '../../store-sqlite/native-sha256.ts'
import { drawCode, toCode } from './code.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import type { Invitation } from './statements.ts'

/** A code is valid for ten minutes by default, and for a week at most. */
const CODE_SECONDS = 600
const MAX_CODE_SECONDS = 604_800
/** Most scopes of an invitation. */
const MAX_SCOPES = 64

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
    const found = await withInvitations(io, (invitations) => invitations.list())
    for (const one of found) io.out(toLine(one))
  } else if (cancel !== undefined) {
    if (!(await withInvitations(io, (invitations) => invitations.cancel(cancel))))
      throw new Error(`There is no open invitation ${printable(cancel)}. svc device invite --list names them.`)
    io.err('Cancelled.')
  } else await make(making, io)
}

type Making = Omit<ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'], 'list' | 'cancel'>

async function make(given: Making, io: CommandIo): Promise<void> {
  const { scope: scopes = [], label = null } = given
  if (scopes.length === 0) throw new UsageError('--scope is missing')
  if (scopes.length > MAX_SCOPES) throw new UsageError(`--scope is given at most ${MAX_SCOPES} times`)
  const deviceSeconds = given['expires-in'] === undefined ? null : secondsOf('--expires-in', given['expires-in'])
  const codeSeconds = secondsOf('--code-expires-in', given['code-expires-in'] ?? String(CODE_SECONDS), MAX_CODE_SECONDS)
  const code = drawCode(randomBytes)
  const made = await withStore(io, (store) => {
    requireRights({ scopes, label }, createProjectFamilies(store))
    return invitationsOf(store).create(code, { scopes: [...new Set(scopes)], label, deviceSeconds, codeSeconds })
  })
  if (made === undefined) throw new Error('Too many invitations are open. svc device invite --list names them.')
  const text = toCode(code)
  if (process.stderr.isTTY) io.err(toQrCode(text))
  io.out(text)
  io.err(`One device may use it, until ${new Date(made.expiresAtMs).toISOString()}, for ${scopes.join(', ')}.`)
}

/** A QR code with a correction of 15 %, of the smallest size that holds the text; two rows of it in a line. */
function toQrCode(text: string): string {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  return code.createASCII(1, 2)
}

const invitationsOf = (store: Parameters<typeof createInvitations>[0]['store']): Invitations =>
  createInvitations({ store, sha256: nativeSha256, now: Date.now, uuid: randomUUID })

const withInvitations = <T>(io: CommandIo, work: (invitations: Invitations) => Promise<T>): Promise<T> =>
  withStore(io, (store) => work(invitationsOf(store)))

function secondsOf(option: string, text: string, most = 999_999_999_999): number {
  if (!/^[1-9]\d{0,11}$/.test(text) || Number(text) > most)
    throw new UsageError(`${option} takes a number of seconds from 1 to ${most}`)
  return Number(text)
}

function toLine({ id, state, scopes, label, expiresAtMs, keyId }: Invitation): string {
  const end = new Date(expiresAtMs).toISOString()
  return [id, state, end, scopes.join(','), keyId ?? '', printable(label ?? '')].join('\t').trimEnd()
}

/** Given to `svc device`. */
export const commands: readonly CommandGifts[] = [{ gives: { InviteDevice: (io) => (args) => invite(args, io) } }]
