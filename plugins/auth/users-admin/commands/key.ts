/** `svc key`: API keys of every tenant, for the owner of the machine. */
import { parseArgs } from 'node:util'
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../../core/declare/command.ts'
import { queryOf } from '../../../../core/http/query.ts'
import { printable, toJsonText } from '../../../../core/kernel/printable.ts'
import type {} from '../../../transport/unix/api.ts'
import { tenantOf } from './user.ts'

const HELP = `Usage: svc key create --user <id> [--tenant <name>] [--scope <scope>]… [--expires-in <seconds>] [--name <text>] [--json]
       svc key create --replaces <key id> [--overlap <seconds>] [--scope <scope>]… [--expires-in <seconds>] [--name <text>] [--json]
       svc key list [--user <id>] [--tenant <name>] [--json]
       svc key revoke <key id> [--json]

API keys of all users of the running service, for the owner of the machine, over its Unix socket. create prints a new key, and nothing
else on stdout: it is shown this once. It may have any scopes, and none without --scope; it lives for security.key_max_days at most.
With --replaces it takes the place of a key: it has the owner of that key, and its name and scopes without others; that key ends after
--overlap seconds (3600; at most 604800, a week). list prints keys, newest first: id, state, tenant, user, scopes, end and name. revoke
ends a key, with its streams and the tokens that were exchanged for it.
Without --tenant, --user means the one tenant that has that user ("default" if there is none). If several have it, they are listed
and nothing is done.`

const ROUTE = '/api/v1/admin/keys'
const PAGE = '1000'

/** A key in the answers of the service. */
interface KeyView {
  readonly id: string
  readonly name: string
  readonly user_id: string
  readonly tenant_id: string
  readonly scopes: readonly string[]
  readonly expires_at_ms: number
  readonly revoked_at_ms: number | null
}

/** The command `key`. */
export const keyCommand: Command = {
  name: 'key',
  summary: 'API keys of all users: create, list, revoke',
  help: HELP,
  gives: { TenantOf: (io) => (user) => tenantOf(io, user) },
  async run([action, ...args], io) {
    await actionNamed(action, actions)(args, io)
    return 0
  },
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const owners = { user: text, tenant: text, json: flag } as const

const actions: Readonly<Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>> = {
  async create(args, io) {
    const scope = { type: 'string', multiple: true } as const
    const more = { scope, name: text, replaces: text, overlap: text, 'expires-in': text } as const
    const { values } = parseArgs({ args: [...args], options: { ...owners, ...more } })
    const { user, name, replaces } = values
    if (user === undefined && replaces === undefined)
      throw new UsageError('name the user with --user, or a key with --replaces')
    if (values.overlap !== undefined && replaces === undefined) throw new UsageError('--overlap needs --replaces')
    const tenant =
      values.tenant ?? (user === undefined || replaces !== undefined ? undefined : await tenantOf(io, user))
    const wish = {
      ...{ user_id: user, tenant_id: tenant, name, replaces },
      scopes: values.scope?.flatMap((one) => one.split(' ').filter((part) => part !== '')),
      expires_in: seconds('expires-in', values['expires-in'], 1),
      overlap: seconds('overlap', values.overlap, 0),
    }
    type Made = { readonly key: string; readonly record: KeyView }
    const made = await io.use('LocalService')().send<Made>('POST', ROUTE, 'application/json', JSON.stringify(wish))
    const { id, user_id, tenant_id, expires_at_ms } = made.record
    if (values.json === true) io.out(toJsonText(made, 2))
    else {
      io.out(made.key)
      io.err(
        `API key ${id} of ${printable(user_id)} in the tenant ${printable(tenant_id)}, until ${dateOf(expires_at_ms)}. It is not shown again.`,
      )
    }
  },
  async list(args, io) {
    const { values } = parseArgs({ args: [...args], options: owners })
    const { user, json } = values
    const tenant = values.tenant ?? (user === undefined ? undefined : await tenantOf(io, user))
    const all: KeyView[] = []
    for (let before: string | null | undefined; before !== null; ) {
      type Page = { readonly keys: readonly KeyView[]; readonly next: string | null }
      const query = queryOf({ user, tenant, limit: PAGE, before })
      const page: Page = await io
        .use('LocalService')()
        .get<Page>(ROUTE + query)
      if (json === true) all.push(...page.keys)
      else for (const key of page.keys) io.out(toLine(key))
      before = page.next
    }
    if (json === true) io.out(toJsonText(all, 2))
  },
  async revoke(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], options: { json: flag }, allowPositionals: true })
    const [id, ...others] = positionals
    if (id === undefined || others.length > 0) throw new UsageError('name one key id')
    const path = `${ROUTE}/${encodeURIComponent(id)}/revoke`
    const key = await io.use('LocalService')().send<KeyView>('POST', path)
    io.out(values.json === true ? toJsonText(key, 2) : toLine(key))
  },
}

/** A number of seconds in an argument. Throws `UsageError`. */
function seconds(option: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min)) throw new UsageError(`--${option} takes a whole number of seconds from ${min} up`)
  return number
}

function toLine({ id, name, user_id, tenant_id, scopes, expires_at_ms, revoked_at_ms }: KeyView): string {
  const state = revoked_at_ms !== null ? 'revoked' : expires_at_ms <= Date.now() ? 'expired' : 'active'
  const fields = [id, state, tenant_id, user_id, scopes.join(' '), dateOf(expires_at_ms), name]
  return fields.map((text) => printable(text)).join('\t')
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString()
}
