/** `svc run`: runs of every tenant, for the owner of the machine. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { actionNamed, type Command, type CommandIo, CommandRefusal, UsageError } from '../../../core/declare/command.ts'
import { queryOf } from '../../../core/http/query.ts'
import { printable, toJsonText } from '../../../core/kernel/printable.ts'
import type {} from '../../auth/capabilities.ts'
import type {} from '../../transport/unix/api.ts'
import type { RunRecord, RunsPage } from '../runs/api.ts'

const HELP = `Usage: svc run list [--user <id>] [--tenant <name>] [--status <status>] [--thread <id>] [--json]
       svc run show <run id> [--user <id>] [--tenant <name>] [--json]
       svc run cancel <run id> [--user <id>] [--tenant <name>] [--json]

Runs of all users of the running service, for the owner of the machine, over its Unix socket. list prints them, newest first: id,
status, tenant, user, thread and time. show prints one, cancel ends one as cancelled; a run that has ended stays as it is.
Without --tenant, --user means the one tenant that has that user ("default" if there is none). Without --user a run is
found by its id alone. If there are several, they are listed and nothing is done.`

const ROUTE = '/api/v1/admin/runs'
const PAGE = '200'

/** The command `run`. */
export const runCommand: Command = {
  name: 'run',
  summary: 'runs of all users: list, show, cancel',
  help: HELP,
  async run([action, ...args], io) {
    await actionNamed(action, actions)(args, io)
    return 0
  },
}

const options = { user: { type: 'string' }, tenant: { type: 'string' }, json: { type: 'boolean' } } as const

const actions: Readonly<Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>> = {
  async list(args, io) {
    const filters = { status: { type: 'string' }, thread: { type: 'string' } } as const
    const { values, positionals } = read(args, { ...options, ...filters })
    if (positionals.length > 0) throw new UsageError('list takes no id')
    const { user, status, thread } = values
    const tenant = values.tenant ?? (user === undefined ? undefined : await io.use('TenantOf')(user))
    const wanted = { user, tenant, status, thread_id: thread }
    const all: RunRecord[] = []
    for (let before: string | null | undefined; before !== null; ) {
      const page: RunsPage = await ask(io, { ...wanted, limit: PAGE, before })
      if (values.json === true) all.push(...page.runs)
      else for (const run of page.runs) io.out(toLine(run))
      before = page.next
    }
    if (values.json === true) io.out(toJsonText(all, 2))
  },
  async show(args, io) {
    const { values, positionals } = read(args, options)
    print(io, await find(io, positionals, values), values.json)
  },
  async cancel(args, io) {
    const { values, positionals } = read(args, options)
    const { run_id, owner } = await find(io, positionals, values)
    const query = queryOf({ tenant: owner.tenant_id ?? undefined, user: owner.user_id ?? undefined })
    const path = `${ROUTE}/${encodeURIComponent(run_id)}/cancel${query}`
    print(io, await io.use('LocalService')().send<RunRecord>('POST', path), values.json)
  },
}

function read<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true })
}

/** The run that the arguments name. Throws `UsageError` if they name several. */
async function find(
  io: CommandIo,
  [run_id, ...more]: readonly string[],
  { user, tenant }: { readonly user?: string | undefined; readonly tenant?: string | undefined },
): Promise<RunRecord> {
  if (run_id === undefined || more.length > 0) throw new UsageError('name one run id')
  const within = tenant ?? (user === undefined ? undefined : await io.use('TenantOf')(user))
  const { runs } = await ask(io, { user, tenant: within, run_id, limit: PAGE })
  const [run, ...others] = runs
  if (run === undefined) throw new CommandRefusal('not_found', `There is no run ${printable(run_id)}.`)
  if (others.length === 0) return run
  const owners = runs.map(({ owner }) => `--tenant ${owner.tenant_id} --user ${owner.user_id}`)
  throw new UsageError(`several runs have this id: ${printable(owners.join(', '))}`)
}

function ask(io: CommandIo, query: Readonly<Record<string, string | null | undefined>>): Promise<RunsPage> {
  return io
    .use('LocalService')()
    .get<RunsPage>(ROUTE + queryOf(query))
}

function print(io: CommandIo, run: RunRecord, json: boolean | undefined): void {
  if (json === true) {
    io.out(toJsonText(run, 2))
    return
  }
  const { owner, ...members } = run
  for (const [name, value] of Object.entries({ ...members, ...owner })) io.out(`${name}\t${printable(String(value))}`)
}

function toLine({ run_id, status, owner, thread_id, created_at_ms }: RunRecord): string {
  const created = new Date(created_at_ms).toISOString()
  const fields = [run_id, status, owner.tenant_id ?? '', owner.user_id ?? '', thread_id, created]
  return fields.map((field) => printable(field)).join('\t')
}

/** `svc run`. */
export const commands: readonly Command[] = [runCommand]
