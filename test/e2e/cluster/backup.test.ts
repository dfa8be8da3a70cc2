/**
 * A backup of PostgreSQL and NATS, with one server or three, and a restore after the disks are lost, with the commands
 * of docs/cluster.md.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noNats } from '../../../scripts/cluster/engines.ts'
import { Ledger } from '../../../scripts/cluster/ledger.ts'
import { formCluster } from '../../../scripts/cluster/nats-cluster.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { startNatsServers } from './nats-servers.ts'
import { entranceOf } from './node-entrance.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { startRunNode } from './run-nodes.ts'
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

/** A server of NATS for the commands of the page. */
interface Server {
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void> | void
  /** The folder in place of `/var/lib/nats/jetstream`. */
  readonly store: string
  /** The folder in which the commands run. */
  readonly folder: string
}

/** Runs lines of the page, each line on every server before the next line. The programs of PostgreSQL run once. */
async function follow(lines: readonly string[], servers: readonly Server[], postgresUrl = ''): Promise<void> {
  for (const line of lines) {
    const isOfPostgres = line.startsWith('pg_')
    for (const server of isOfPostgres ? servers.slice(0, 1) : servers) {
      if (line === 'systemctl stop nats-server') await server.stop()
      else if (line === 'systemctl start nats-server') await server.start()
      else {
        const text = line.replaceAll('/var/lib/nats/jetstream', '"$STORE"')
        assert.ok(isOfPostgres || text !== line, line)
        const env = { ...process.env, POSTGRES_URL: postgresUrl, STORE: server.store }
        const { status, stderr } = spawnSync('sh', ['-c', text], { cwd: server.folder, env, encoding: 'utf8' })
        assert.is(status, 0, `${line}\n${stderr}`)
      }
    }
  }
}

const ofNats = (line: string): boolean => !line.startsWith('pg_')

testUnless(
  test,
  noCluster ?? (hasProgram('pg_dump') ? undefined : 'no pg_dump on this machine'),
  'a restore brings back the keys and runs of the backup, with the beginnings of shortened runs, and the cluster works',
  async () => {
    const { postgres: database, nats, nodes } = cluster
    const as = tokenFor({ user: 'ada', tenant: 'acme' })
    const newKey = async (): Promise<{ readonly key: string; readonly id: string }> => {
      const { status, body } = await cluster.send(KEYS, { method: 'POST', as, body: { name: 'k' } })
      assert.is(status, 201, JSON.stringify(body))
      return { key: String(body['key']), id: (body['record'] as { id: string }).id }
    }
    const append = async (body: unknown): Promise<number> =>
      (await cluster.send('/api/svc/runs/kept/events', { method: 'POST', as, body })).status
    const [{ key }, revoked] = [await newKey(), await newKey()]
    const made = await cluster.send('/api/svc/runs', { method: 'POST', as, body: { run_id: 'kept' } })
    assert.is(await append({ type: 'RUN_STARTED', threadId: 't', runId: 'kept' }), 200)
    for (let n = 0; n < 20; n++) assert.is(await append({ type: 'CUSTOM', name: String(n), value: null }), 200)

    const server: Server = {
      ...{ store: join(nats.folder, 'jetstream'), folder: folderWith() },
      start: () => nats.start(),
      stop: () => nats.kill('SIGTERM'),
    }
    await follow(commandsNotRun('docs/cluster.md', 'pg_dump'), [server], database.url)
    const isUp = (): Promise<boolean> =>
      Promise.all(nodes.map((_, node) => cluster.send('/api/svc/runs', { as, node }))).then((answers) =>
        answers.every(({ status }) => status === 200),
      )
    await until('the cluster goes on', isUp, 60_000)

    // Changes after the backup are lost with the disks.
    const { key: later } = await newKey()
    const path = `${KEYS}/${revoked.id}`
    assert.is((await cluster.send(path, { method: 'DELETE', as })).status, 204)
    await until('an append', async () => (await append({ type: 'CUSTOM', name: 'later', value: null })) === 200, 60_000)
    await Promise.all(nodes.splice(0).map((node) => node.stop()))
    await nats.kill()
    rmSync(server.store, { recursive: true })
    await nats.start()
    const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
    await sql`drop schema svc cascade`
    await sql.end()
    await follow(commandsNotRun('docs/cluster.md', 'pg_restore'), [server], database.url)
    await Promise.all([cluster.join(environment), cluster.join(environment)])

    await until('the cluster is up', isUp, 60_000)
    for (const node of [0, 1]) {
      assert.is((await cluster.send(KEYS, { key, node })).status, 200)
      assert.is(
        (await cluster.send(KEYS, { key: revoked.key, node })).status,
        200,
        'a key that was revoked after the backup',
      )
      assert.is((await cluster.send(KEYS, { key: later, node })).status, 401, 'a key that was created after the backup')
      const { body } = await cluster.send('/api/svc/runs/kept', { as, node })
      assert.equal([body['epoch'], body['first_seq'], body['last_seq']], [made.body['epoch'], 14, 21])
    }
    const reading = await readRun(cluster.nodes[1]!.base, 'kept', { as, mode: 'agui_spec' })
    await until('all events are there', async () => reading.ids.at(-1)?.endsWith('-21') === true, 60_000)
    assert.is(reading.events[0]!.type, 'RUN_STARTED', 'the state before the oldest event')
    reading.close()
    assert.is(await append({ type: 'RUN_FINISHED', threadId: 't', runId: 'kept' }), 200)
    assert.is((await cluster.send(KEYS, { key: (await newKey()).key })).status, 200)
  },
)

testUnless(
  test,
  noNats,
  'three servers of NATS, with all their disks lost, have every event of the backup again',
  async () => {
    const network = await startNatsServers(3)
    const servers = network.map(
      (one): Server => ({
        // The whole `store_dir`: a server that ends while the folder is empty may remove it.
        ...{ store: one.store, folder: folderWith(), start: () => one.start() },
        stop: () => one.kill('SIGTERM'),
      }),
    )
    const start = () => Promise.all([0, 1].map((at) => startRunNode([network[at]!.port], { replicas: 3 })))
    let nodes = await start()
    const entrances = nodes.map(entranceOf)
    const ledger = new Ledger(entrances)
    try {
      const epoch = await ledger.begin('kept')
      const append = async (n: number): Promise<boolean> =>
        (await ledger.append(n % 2, 'kept', String(n), `"${epoch}-${n}"`)) === 'written'
      for (let n = 1; n <= 20; n++) await until('an append', () => append(n), 60_000)
      await Promise.all(nodes.splice(0).map((node) => node.stop()))
      await follow(commandsNotRun('docs/cluster.md', 'pg_dump').filter(ofNats), servers)

      await Promise.all(network.map((server) => server.kill('SIGKILL')))
      for (const server of network) {
        server.wipe()
        // The servers run, and have no data.
        server.start()
      }
      await formCluster(network)
      await follow(commandsNotRun('docs/cluster.md', 'pg_restore').filter(ofNats), servers)
      nodes = await start()
      entrances.splice(0, 2, ...nodes.map(entranceOf))
      for (const node of [0, 1])
        await until('all is there', async () => (await ledger.problems(node)).length === 0, 60_000)
      await until('the run goes on', () => append(21), 60_000)
      assert.is(ledger.size, 22)
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
      await Promise.all(network.map((server) => server.stop()))
    }
  },
)

test.run()
