/**
 * A backup of PostgreSQL and NATS, and a restore after both are lost: on shipped nodes, with the commands of
 * docs/cluster.md.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { readRun } from './run-reader.ts'

const test = suite('cluster: backup and restore')

const KEYS = '/api/svc/auth/keys'

/** A run keeps few events, so its beginning is written apart from its log. */
const environment = { SVC_REALTIME__RUN_MAX_EVENTS: '8' }

let cluster: Cluster
test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster(0)
  await Promise.all([cluster.join(environment), cluster.join(environment)])
})
test.after(() => cluster?.stop())

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.is(status, 0, `${command} ${args.join(' ')}\n${stderr}`)
}

/** Copies the data of NATS while NATS is stopped. */
function copy(from: string, to: string): void {
  rmSync(join(to, 'jetstream'), { recursive: true, force: true })
  run('cp', '-a', join(from, 'jetstream'), join(to, 'jetstream'))
}

testUnless(
  test,
  noCluster ?? (hasProgram('pg_dump') ? undefined : 'no pg_dump on this machine'),
  'a restore brings back the keys and runs of the backup, with the beginnings of shortened runs, and the cluster works',
  async () => {
    const { postgres: database, nats, nodes } = cluster
    const as = (await nodes[0]!.command('token', '--sub', 'ada', '--tenant', 'acme')).trim()
    const newKey = async (): Promise<string> => {
      const { status, body } = await cluster.send(KEYS, { method: 'POST', as, body: { name: 'k' } })
      assert.is(status, 201, JSON.stringify(body))
      return String(body['key'])
    }
    const append = async (body: unknown): Promise<number> =>
      (await cluster.send('/api/svc/runs/kept/events', { method: 'POST', as, body })).status
    const key = await newKey()
    const made = await cluster.send('/api/svc/runs', { method: 'POST', as, body: { run_id: 'kept' } })
    assert.is(await append({ type: 'RUN_STARTED', threadId: 't', runId: 'kept' }), 200)
    for (let n = 0; n < 20; n++) assert.is(await append({ type: 'CUSTOM', name: String(n), value: null }), 200)

    const backup = folderWith()
    const dump = join(backup, 'svc.dump')
    run('pg_dump', '--schema=svc', '--format=custom', `--file=${dump}`, database.url)
    await nats.kill('SIGTERM')
    copy(nats.folder, backup)
    await nats.start()
    const isUp = (): Promise<boolean> =>
      Promise.all(nodes.map((_, node) => cluster.send('/api/svc/runs', { as, node }))).then((answers) =>
        answers.every(({ status }) => status === 200),
      )
    await until('the cluster goes on', isUp, 20_000)

    // Changes after the backup are lost with the disks.
    const later = await newKey()
    await until('an append', async () => (await append({ type: 'CUSTOM', name: 'later', value: null })) === 200, 20_000)
    await Promise.all(nodes.splice(0).map((node) => node.stop()))
    await nats.kill()
    const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
    await sql`drop schema svc cascade`
    await sql.end()
    run('pg_restore', '--clean', '--if-exists', `--dbname=${database.url}`, dump)
    copy(backup, nats.folder)
    await nats.start()
    await Promise.all([cluster.join(environment), cluster.join(environment)])

    await until('the cluster is up', isUp, 20_000)
    for (const node of [0, 1]) {
      assert.is((await cluster.send(KEYS, { key, node })).status, 200)
      assert.is((await cluster.send(KEYS, { key: later, node })).status, 401, 'a key that was created after the backup')
      const { body } = await cluster.send('/api/svc/runs/kept', { as, node })
      assert.equal([body['epoch'], body['first_seq'], body['last_seq']], [made.body['epoch'], 14, 21])
    }
    const reading = await readRun(cluster.nodes[1]!.base, 'kept', { as, mode: 'agui_spec' })
    await until('all events are there', async () => reading.ids.at(-1)?.endsWith('-21') === true, 10_000)
    assert.is(reading.events[0]!.type, 'RUN_STARTED', 'the state before the oldest event')
    reading.close()
    assert.is(await append({ type: 'RUN_FINISHED', threadId: 't', runId: 'kept' }), 200)
    assert.ok(readdirSync(join(nats.folder, 'jetstream')).length > 0)
    assert.is((await cluster.send(KEYS, { key: await newKey() })).status, 200)
  },
)

test.run()
