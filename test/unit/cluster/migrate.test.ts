/** `svc migrate` on a real PostgreSQL: the schema that it creates, and the arguments that it refuses. */
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandIo } from '../../../core/declare/command.ts'
import { Secret } from '../../../core/declare/secret.ts'
import { commands } from '../../../plugins/cluster/postgres/commands.ts'
import { type Engine, noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('svc migrate')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noPostgres, name, work)

let engine: Engine
test.before(async () => {
  if (noPostgres === undefined) engine = await startPostgres()
})
test.after(() => engine?.stop())

/** Runs `svc migrate` with the given `cluster.postgres_url`. Returns its exit code or error, and its output. */
async function run(url: string | null, ...args: string[]): Promise<{ code: number | string; text: string }> {
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  const nothing = (): never => {
    throw new Error('no capability is used')
  }
  const io: CommandIo = {
    ...{
      environment: {},
      config: undefined,
      commands: [],
      storeParts: [],
      out: print,
      err: print,
      use: nothing,
      find: nothing,
    },
    manifest: {} as CommandIo['manifest'],
    setting: (key) => (key === 'cluster.postgres_url' && url !== null ? new Secret(url) : null),
  }
  const code = await commands[0]!.run(args, io).catch((error: Error) => `${error.name}: ${error.message}`)
  return { code, text: lines.join('\n') }
}

it('svc migrate creates the schema once, and accepts a compatible later version', async () => {
  const done = { code: 0, text: 'The schema svc has version 3.' }
  assert.equal(await run(null, '--postgres', engine.url), done)
  assert.equal(await run(engine.url), done)
  const sql = postgres(engine.url, { max: 1 })
  try {
    await sql`insert into svc.migrations (version, oldest) values (4, 1)`
    assert.equal(await run(engine.url), { code: 0, text: 'The schema svc has version 4.' })
    await sql`update svc.migrations set oldest = 4 where version = 4`
    const { code } = await run(engine.url)
    assert.match(String(code), /has version 4, which needs a program that knows version 4, and this one knows 3/)
    await sql`delete from svc.migrations where version = 4`
    // A schema of an older program, which did not record the version that its migrations need.
    await sql`alter table svc.migrations drop column oldest`
    assert.equal(await run(engine.url), done)
  } finally {
    await sql.end()
  }
})

it('svc migrate grants access to a role whose name has a dot and a quotation mark', async () => {
  const sql = postgres(engine.url, { max: 1 })
  try {
    await sql.unsafe(`create role "node""s@project.iam" login`)
    assert.is((await run(engine.url, '--grant', 'node"s@project.iam')).code, 0)
    const [row] = await sql`select has_table_privilege('node"s@project.iam', 'svc.api_keys', 'update') as granted`
    assert.is(row!['granted'], true)
  } finally {
    await sql.end()
  }
})

it('svc migrate refuses unusable arguments, and shows no password', async () => {
  for (const [url, args, code, message] of [
    [null, [], 78, /cluster\.postgres_url: not set/],
    [null, ['--postgres', 'mysql://a:secret@b'], 78, /--postgres: not a postgres:\/\/ URL/],
    ['postgres://a:secret@b/c?sslmode=x', [], 78, /sslmode is none of/],
    [null, ['--postgres', 'postgres://a:secret@127.0.0.1:9/c'], /ECONNREFUSED/, /^$/],
    ['postgres://a:secret@127.0.0.1:9/c', ['--grant', ''], /UsageError|--grant needs/, /^$/],
    [engine.url, ['--grant', 'nobody'], /role "nobody" does not exist/, /^$/],
    [engine.url.replace('svc@', 'nobody:secret@'), [], /role "nobody" does not exist/, /^$/],
    [`${engine.url}?sslmode=prefer`, [], 0, /the server is not verified/],
  ] as const) {
    const done = await run(url, ...args)
    if (typeof code === 'number') assert.is(done.code, code, done.text)
    else assert.match(String(done.code), code)
    assert.match(done.text, message)
    assert.not.match(`${done.code} ${done.text}`, /secret/)
  }
})

test.run()
