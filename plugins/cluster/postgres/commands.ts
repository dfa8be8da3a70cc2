import { parseArgs } from 'node:util'
import { type Command, type CommandIo, UsageError } from '../../../core/declare/command.ts'
import { Secret } from '../../../core/declare/secret.ts'
import { verifiesNobody } from './access.ts'
import { Database } from './database.ts'
import { grantToNodes, MIGRATE_MS, migrate } from './migrations.ts'
import { urlProblem } from './settings.ts'

const BAD_CONFIGURATION = 78

const help = `svc migrate [--postgres URL] [--grant ROLE]

Makes the schema svc of PostgreSQL, or brings it to the version of this program. Nodes serve meanwhile.

  --postgres URL  the database, with a role that owns the schema; without this option cluster.postgres_url, which
                  SVC_CLUSTER__POSTGRES_URL sets without showing its password to other users of the machine
  --grant ROLE    gives the role of the nodes the rights that they need, and no others

  SVC_CLUSTER__POSTGRES_URL="$(cat owner.url)" svc migrate --grant svc_node
`

/** The commands of feature `cluster.postgres`. */
export const commands: readonly Command[] = [
  { name: 'migrate', summary: 'Makes or migrates the schema of PostgreSQL.', help, run: runMigrate },
]

async function runMigrate(args: readonly string[], io: CommandIo): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...args], options: { postgres: text, grant: text } })
  const { postgres, grant } = values
  if (grant === '') throw new UsageError('--grant needs the name of a role.')
  const url = postgres === undefined ? (io.setting('cluster.postgres_url') as Secret | null) : new Secret(postgres)
  const problem = urlProblem(url)
  if (url === null || problem !== undefined) {
    io.err(`svc migrate: ${postgres === undefined ? 'cluster.postgres_url' : '--postgres'}: ${problem}`)
    io.err('  → Set SVC_CLUSTER__POSTGRES_URL to postgres://user:password@host:5432/database.')
    return BAD_CONFIGURATION
  }
  if (verifiesNobody(url.reveal()))
    io.err(
      'svc migrate: the server is not verified. With sslmode=allow or prefer the connection may be unencrypted, too.',
    )
  const database = new Database({
    url: url.reveal(),
    connections: 1,
    timeoutMs: MIGRATE_MS,
    channel: '',
    onNotify: () => undefined,
    onBroken: () => undefined,
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  try {
    const { version } = await database.run(migrate)
    if (grant !== undefined) await database.run((sql) => grantToNodes(sql, grant))
    io.out(`The schema svc has version ${version}.`)
    return 0
  } finally {
    database.reset()
  }
}
