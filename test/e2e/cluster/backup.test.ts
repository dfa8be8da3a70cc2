/** A backup of PostgreSQL and of NATS, and its way back after both are lost: on nodes that ship, with the commands of docs/cluster.md. */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { readRun } from './run-reader.ts'

const test = suite('cluster: backup and restore')

const KEYS = '/api/svc/auth/keys'

/** A run keeps so few events that its beginning is written apart from its log. */
const environment = { SVC_REALTIME__RUN_MAX_EVENTS: '8' }

let cluster: Cluster
test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster(0)
  await Promise.all([cluster.join(environment), cluster.join(environment)])
})
test.after(() => cluster?.stop())

/** Runs the commands of a block of the page in a folder, on the engines of this test: NATS is not a unit of systemd here. */
async function follow(commands: readonly string[], cwd: string): Promise<void> {
  const { postgres: database, nats } = cluster
  const steps = commands.flatMap((line) => line.split(' && '))
  for (const step of steps) {
    if (step === 'systemctl stop nats-server') await nats.kill('SIGTERM')
    else if (step === 'systemctl start nats-server') await nats.start()
    else {
      const command = step.replaceAll('/var/lib/nats', nats.folder)
      const env = { PATH: process.env['PATH'], POSTGRES_URL: database.url }
      const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' })
      assert.is(status, 0, `${command}\n${stderr}`)
    }
  }
}

testUnless(
  test,
  noCluster ?? (hasProgram('pg_dump') ? undefined : 'no pg_dump on this machine'),
  'keys and runs are there again as of the backup, the beginnings of shortened runs too, and the cluster goes on',
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
    await follow(commandsNotRun('docs/cluster.md', 'pg_dump'), backup)
    const isUp = (): Promise<boolean> =>
      Promise.all(nodes.map((_, node) => cluster.send('/api/svc/runs', { as, node }))).then((answers) =>
        answers.every(({ status }) => status === 200),
      )
    await until('the cluster goes on', isUp, 20_000)

    // What comes after the backup is lost with the disks.
    const later = await newKey()
    await until('an append', async () => (await append({ type: 'CUSTOM', name: 'later', value: null })) === 200, 20_000)
    await Promise.all(nodes.splice(0).map((node) => node.stop()))
    await nats.kill()
    const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
    await sql`drop schema svc cascade`
    await sql.end()
    // On a machine without NATS until now, as after the loss of its disk.
    rmSync(join(nats.folder, 'jetstream'), { recursive: true, force: true })
    await nats.start()
    await follow(commandsNotRun('docs/cluster.md', 'pg_restore'), backup)
    await Promise.all([cluster.join(environment), cluster.join(environment)])

    await until('the cluster is up', isUp, 20_000)
    for (const node of [0, 1]) {
      assert.is((await cluster.send(KEYS, { key, node })).status, 200)
      assert.is((await cluster.send(KEYS, { key: later, node })).status, 401, 'a key of after the backup')
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
