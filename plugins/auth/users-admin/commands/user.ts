/** `svc user`: users of every tenant, for the owner of the machine. */
import { parseArgs } from 'node:util'
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../../core/declare/command.ts'
import { queryOf } from '../../../../core/http/query.ts'
import { printable, toJsonText } from '../../../../core/kernel/printable.ts'
import type {} from '../../../transport/unix/api.ts'

const HELP = `Usage: svc user revoke <id> [--tenant <name>] [--reason <text>] [--json]
       svc user restore <id> [--tenant <name>] [--json]
       svc user erase <id> [--tenant <name>] [--json]

Users of the running service, for the owner of the machine, over its Unix socket. revoke ends every credential of a user that was
issued before now: tokens, API keys and streams, on every node. restore lifts that: tokens without iat count again, those that were issued
before stay refused, and keys stay revoked. erase removes the API keys and runs of a user, and the reasons of its revocations;
it ends no token of another issuer, so revoke the user first.
Without --tenant, the one tenant that has the user is meant ("default" if there is none). If several have it, they are listed and
nothing is done.`

/** What an erasure leaves in a build with boards. */
const BOARDS =
  'Boards keep what they have of this user: their commands are a signed history, in which devices are the authors, and texts and assignees may name the user. Nothing can be removed from it; svc device revoke ends a device.'

/** The command `user`. */
export const userCommand: Command = {
  name: 'user',
  summary: 'users: revoke, restore, erase',
  help: HELP,
  async run([action, ...args], io) {
    await actionNamed(action, actions)(args, io)
    return 0
  },
}

type Answer = Readonly<Record<string, string | number | null>>

const text = { type: 'string' } as const
const options = { tenant: text, json: { type: 'boolean' } } as const

const actions: Readonly<Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>> = {
  async revoke(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, reason: text },
      allowPositionals: true,
    })
    await act('revoke', positionals, values, io)
  },
  async restore(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    await act('restore', positionals, values, io)
  },
  async erase(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    await act('erase', positionals, values, io)
    if (io.manifest.features.some(({ id }) => id === 'kbd.engine')) io.err(BOARDS)
  },
}

async function act(
  action: string,
  [user, ...others]: readonly string[],
  { tenant, reason, json }: Readonly<{ tenant?: string; reason?: string; json?: boolean }>,
  io: CommandIo,
): Promise<void> {
  if (user === undefined || others.length > 0) throw new UsageError('name one user id')
  const query = queryOf({ user, tenant: tenant ?? (await tenantOf(io, user)), reason })
  const answer = await io.use('LocalService')().send<Answer>('POST', `/api/v1/admin/users/${action}${query}`)
  if (json === true) io.out(toJsonText(answer, 2))
  else for (const [name, value] of Object.entries(answer)) io.out(`${name}\t${printable(String(value))}`)
}

/** The tenant of callers whose credential names none. */
const DEFAULT_TENANT = 'default'

/** The one tenant that has a user; `default` if none has it. Throws `UsageError` if several have it. */
export async function tenantOf(io: CommandIo, user: string): Promise<string> {
  const path = `/api/v1/admin/tenants${queryOf({ user })}`
  const { tenants } = await io.use('LocalService')().get<{ readonly tenants: readonly string[] }>(path)
  if (tenants.length > 1)
    throw new UsageError(`several tenants have this user, name one with --tenant: ${printable(tenants.join(', '))}`)
  return tenants[0] ?? DEFAULT_TENANT
}
