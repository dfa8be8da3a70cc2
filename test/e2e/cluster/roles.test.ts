/**
 * PostgreSQL with two roles: one role owns the tables and migrates, and nodes use the other role. Also a schema of a
 * later version than the node.
 */
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
import { testUnless } from '../../support/skip.ts'
import { type Cluster, noCluster, program, startCluster, until } from './rig.ts'

const test = suite('cluster: roles of PostgreSQL')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster, name, work)

const KEYS = '/api/svc/auth/keys'

let cluster: Cluster
let admin: postgres.Sql
let nodeUrl: string

test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster(0)
  admin = postgres(cluster.postgres.url, { max: 1, onnotice: () => undefined })
  nodeUrl = as('svc_node')
})
test.after(async () => {
  await admin?.end()
  await cluster?.stop()
})

/** The URL of the database with another role, which needs no password here. */
const as = (role: string): string => cluster.postgres.url.replace('//svc@', `//${role}:of-${role}@`)

/** Runs `svc migrate` as the page shows, in a folder with the address of the owner. */
async function migrateAsThePage(ownerUrl: string): Promise<{ code: number | null; out: string; err: string }> {
  const [line] = commandsNotRun('docs/cluster.md', 'SVC_CLUSTER__POSTGRES_URL="$(cat owner.url)" svc migrate') as [
    string,
  ]
  const svc = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${program}' "$@"`
  const folder = folderWith({ 'owner.url': `${ownerUrl}\n`, 'bin/svc': `#!/bin/sh\n${svc}\n` })
  chmodSync(join(folder, 'bin/svc'), 0o755)
  const env = { HOME: folder, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const child = startChild('sh', { args: ['-c', line], cwd: folder, env })
  const { code } = await child.exited
  return { code, out: child.out, err: child.err }
}

/** The status of `/readyz` of a node, and the checks of PostgreSQL. */
async function ready(node: number): Promise<Record<string, unknown>> {
  const { status, body } = await cluster.send('/readyz', { node })
  const checks = body['checks'] as Readonly<Record<string, { readonly status: string }>>
  return { status, postgres: checks['postgres']!.status, schema: checks['postgres_schema']!.status }
}

/** How often a message is in the log of a node. */
const countOf = (node: number, message: string): number => cluster.nodes[node]!.child.out.split(message).length - 1

it('the roles of docs/cluster.md are enough: svc migrate creates the schema, and nodes work without owning it', async () => {
  const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
  const [, roles] = /\n```sql\n([\s\S]*?)```\n/.exec(page)!
  await admin.unsafe(roles!)
  const environment = { SVC_CLUSTER__POSTGRES_URL: nodeUrl, SVC_CLUSTER__MIGRATE: 'false' }
  await Promise.all([cluster.join(environment), cluster.join(environment)])
  await until('the log names the missing schema', async () => countOf(0, 'run svc migrate') > 0, 60_000)
  assert.equal(await ready(0), { status: 503, postgres: 'failed', schema: 'ok' })

  assert.equal(await migrateAsThePage(as('svc_owner')), { code: 0, out: 'The schema svc has version 3.\n', err: '' })
  await until(
    'both are ready',
    async () => (await ready(0))['status'] === 200 && (await ready(1))['status'] === 200,
    60_000,
  )

  const owner = tokenFor({ user: 'ada', tenant: 'acme' })
  const made = await cluster.send(KEYS, { method: 'POST', as: owner, body: { name: 'k' }, node: 0 })
  assert.is(made.status, 201)
  const key = String(made.body['key'])
  const { id } = made.body['record'] as { id: string }
  assert.is((await cluster.send(KEYS, { key, node: 1 })).status, 200)
  const used = async (): Promise<unknown> =>
    (await admin`select last_used_at_ms from svc.api_keys where id = ${id}`)[0]!['last_used_at_ms']
  await until('its use is written', async () => (await used()) !== null, 60_000)
  assert.is((await cluster.send(`${KEYS}/${id}`, { method: 'DELETE', as: owner, node: 0 })).status, 204)
  await until('it is refused', async () => (await cluster.send(KEYS, { key, node: 1 })).status === 401, 60_000)

  const node = postgres(nodeUrl, { max: 1, onnotice: () => undefined })
  for (const forbidden of [
    'create table svc.mine ()',
    'alter table svc.api_keys add column mine text',
    'truncate svc.api_keys',
    'insert into svc.migrations (version) values (9)',
    'create schema mine',
  ])
    assert.is(
      await node.unsafe(forbidden).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      ),
      '42501',
      forbidden,
    )
  await node.end()
})

it('nodes work with a later schema, and report it in /readyz and once in the log, also after PostgreSQL was away', async () => {
  const LATER = 'The schema of PostgreSQL is of a later version.'
  await admin.unsafe(
    `alter table svc.api_keys add column note text; insert into svc.migrations (version, oldest) values (4, 1)`,
  )
  const restart = async (): Promise<void> => {
    await admin.end()
    await cluster.postgres.kill()
    await cluster.postgres.start()
    admin = postgres(cluster.postgres.url, { max: 1, onnotice: () => undefined })
  }
  for (let n = 0; n < 2; n++) {
    await restart()
    await until('it is back', async () => (await ready(0))['postgres'] === 'ok', 60_000)
    assert.equal(await ready(0), { status: 200, postgres: 'ok', schema: 'failed' })
  }
  assert.is(countOf(0, LATER), 1)
  const owner = tokenFor({ user: 'bob', tenant: 'acme' })
  const made = await cluster.send(KEYS, { method: 'POST', as: owner, body: { name: 'k' }, node: 0 })
  assert.is(made.status, 201)
  assert.is((await cluster.send(KEYS, { key: String(made.body['key']), node: 0 })).status, 200)
  // A schema step that is incompatible with this program.
  await admin`update svc.migrations set oldest = 4 where version = 4`
  await restart()
  await until('the log reports it', async () => countOf(0, 'needs a program that knows version 4') > 0, 60_000)
  assert.equal(await ready(0), { status: 503, postgres: 'failed', schema: 'failed' })
  assert.is((await cluster.send('/api/svc/runs', { as: owner, node: 0 })).status, 200, 'runs need no PostgreSQL')
  await admin`update svc.migrations set oldest = 1 where version = 4`
  await until('it is back', async () => (await ready(0))['postgres'] === 'ok', 60_000)
})

test.run()
