/** Two versions of the program run side by side under load: an upgrade with a schema change, and the way back. */
import { readFileSync } from 'node:fs'
import { connect } from '@nats-io/transport-node'
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../../../plugins/client/index.ts'
import { logOf, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { SCHEMA_VERSION } from '../../../plugins/cluster/postgres/migrations.ts'
import { type LocalCluster, startCluster } from '../../../scripts/cluster/cluster.ts'
import { secret, tokenFor } from '../../conformance/caller.ts'
import { cheapHashes } from '../../support/cheap-hashes.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { furtherCalls, load } from './load.ts'
import { makeNextVersion } from './next-version.ts'
import { type OpenEngines, startOpenEngines } from './open-engines.ts'
import { noCluster, program, until } from './rig.ts'

const test = suite('cluster: two versions')

/** Pause between two calls, in milliseconds. */
const PAUSE_MS = 25

const owner = { user_id: 'ada', tenant_id: 'acme' }

let cluster: LocalCluster<OpenEngines>
test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster({
    ...{ engines: startOpenEngines, program, folder: folderWith(), nodes: 2 },
    environment: {
      SVC_REALTIME__TOPICS: 'todos',
      SVC_SECURITY__JWT_SECRET: secret,
      ...cheapHashes,
    },
  })
})
test.after(() => cluster?.stop())

/** The first row of the result of a statement. */
async function firstRow(text: string, ...values: readonly string[]): Promise<postgres.Row | undefined> {
  const sql = postgres(cluster.engines.postgres.url, { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql.unsafe(text, [...values])
    return row
  } finally {
    await sql.end()
  }
}

/** The version of the schema. */
const schemaVersion = async (): Promise<unknown> =>
  (await firstRow('select max(version) as version from svc.migrations'))?.['version']

/** The head in the newest message of a run. */
async function newestHead(run_id: string): Promise<Readonly<Record<string, unknown>>> {
  const nats = await connect({ servers: cluster.engines.nats.url.replace('nats://', '') })
  try {
    const body = JSON.stringify({ last_by_subj: logOf({ owner, run_id }) })
    const { message } = (await nats.request(`$JS.API.STREAM.MSG.GET.${RUNS}`, body)).json<{
      message: { hdrs: string }
    }>()
    const [, head] = /^Svc-Run: ?(.*)\r$/m.exec(Buffer.from(message.hdrs, 'base64').toString())!
    return JSON.parse(head!) as Readonly<Record<string, unknown>>
  } finally {
    await nats.close()
  }
}

/**
 * Uses and revokes a key of the next version on nodes of the first version. The columns and members that only the next
 * version knows stay in the row.
 */
async function keepsRow({ key, record: { id } }: { readonly key: string; readonly record: { readonly id: string } }) {
  const read = () => firstRow('select * from svc.api_keys where id = $1', id)
  const call = async (method: string, path: string): Promise<number> =>
    (await fetch(cluster.base + path, { method, headers: { 'x-api-key': key } })).status
  assert.is(await call('GET', '/api/svc/auth/keys'), 200)
  await until('its use is written', async () => (await read())?.['last_used_at_ms'] != null, 60_000)
  assert.is(await call('DELETE', `/api/svc/auth/keys/${id}`), 204)
  const { revoked_at_ms, note, body } = (await read()) ?? {}
  assert.ok(revoked_at_ms != null)
  assert.equal([note, (JSON.parse(body) as { next?: string }).next], ['written', 'kept'])
}

/** The status of `/readyz` of each node, and its check of the schema. */
const ready = (): Promise<unknown[]> =>
  Promise.all(
    cluster.nodes.map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
      const { checks } = (await answer.json()) as { checks: Readonly<Record<string, { readonly status: string }>> }
      return [answer.status, checks['postgres_schema']!.status]
    }),
  )

testUnless(
  test,
  noCluster,
  'during an upgrade and the way back under load no call fails, and no member that only one version knows is lost',
  async () => {
    const next = makeNextVersion()
    const troubles: string[] = []
    const token = tokenFor({ user: 'ada', tenant: 'acme', scopes: ['live:publish'] })
    const client = createClient({ baseUrl: cluster.base, token, share: false, schedule: { firstMs: 20 } })
    const made = await client.api.POST('/api/svc/auth/keys', { body: { name: 'of the first version' } })
    assert.ok(made.ok)
    const byKey = createClient({ baseUrl: cluster.base, headers: { 'x-api-key': made.data.key }, share: false }).api
    const check = (what: string, answer: { ok: boolean; status: number }): void => {
      if (!answer.ok) troubles.push(`${what}: ${answer.status}`)
    }
    const append = async (run_id: string, body: { readonly type: string; readonly [member: string]: unknown }) =>
      check('an append', await client.api.POST('/api/svc/runs/{run_id}/events', { path: { run_id }, body }))
    const begin = async (run_id: string): Promise<void> => {
      check('a run', await client.api.POST('/api/svc/runs', { body: { run_id } }))
      await append(run_id, { type: 'RUN_STARTED', threadId: 't', runId: run_id })
    }
    await begin('all-the-while')
    const ids: number[] = []
    const following = client.run('all-the-while', {
      onEvent: (_, id) => ids.push(Number(id?.split('-')[1])),
      onGap: () => troubles.push('a gap'),
    })
    const received: number[] = []
    const leave = client.live.on('todos', ({ identifier }) => received.push(Number(identifier)))
    await until('the stream is open', async () => client.live.state === 'open', 60_000)
    const loads = [
      load((n) => append('all-the-while', { type: 'CUSTOM', name: String(n), value: null }), PAUSE_MS),
      load(async (n) => {
        const body = { identifier: String(n), operation: 'update' as const, data: null }
        check('publishing', await client.api.POST('/api/live/{topic}', { path: { topic: 'todos' }, body }))
      }, PAUSE_MS),
      load(async () => {
        check('a key', await byKey.GET('/api/svc/auth/keys'))
        const one = await client.api.POST('/api/svc/auth/keys', { body: { name: 'short' } })
        check('a new key', one)
        if (one.ok)
          check(
            'a revocation',
            await client.api.DELETE('/api/svc/auth/keys/{id}', { path: { id: one.data.record.id } }),
          )
      }, PAUSE_MS),
    ]
    const roll = async (to: string, between: (done: number) => Promise<void>): Promise<void> => {
      for (const [index, node] of cluster.nodes.entries()) {
        assert.equal(await node.stop(), { code: 0, signal: null })
        await furtherCalls(loads)
        await node.start(to)
        await until('the balancer uses both nodes', async () => cluster.balancer.ready.size === 2, 60_000)
        await furtherCalls(loads)
        const before = received.length
        await until('later events arrive', async () => received.length > before + 3, 60_000)
        await between(index + 1)
      }
    }
    const each = async (action: (port: number, index: number) => Promise<void>): Promise<void> => {
      for (const [index, { port }] of cluster.nodes.entries()) await action(port, index)
    }
    await roll(next, async (done) => {
      assert.is(await schemaVersion(), SCHEMA_VERSION + 1)
      // Each version writes to a run that may belong to the other version.
      const run_id = `mixed-${done}`
      await begin(run_id)
      await each(async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/svc/runs/${encodeURIComponent(run_id)}/events`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'CUSTOM', name: 'x', value: null }),
        })
        assert.is(answer.status, 200)
      })
    })
    const isReady = async (): Promise<boolean> => (await ready()).every((one) => String(one) === '200,ok')
    await until('both nodes are ready', isReady, 60_000)
    await begin('of-the-next-version')
    const { v, next: ofMessage } = await newestHead('of-the-next-version')
    assert.equal([v, ofMessage], [2, 1])
    const laterKey = await client.api.POST('/api/svc/auth/keys', { body: { name: 'of the next version' } })
    assert.ok(laterKey.ok)
    await roll(program, async (done) => {
      const rows = (await ready()).map(String)
      assert.equal(
        rows,
        [1, 2].map((index) => `200,${index <= done ? 'failed' : 'ok'}`),
      )
    })
    await append('of-the-next-version', { type: 'CUSTOM', name: 'by the first version', value: null })
    const head = await newestHead('of-the-next-version')
    // Members that describe the run are kept. Members that describe a message of the next version are not copied to
    // another message.
    assert.equal([head['v'], head['next'], (head['record'] as { next?: string }).next], [1, undefined, 'kept'])
    await keepsRow(laterKey.data)
    const [written] = await Promise.all(loads.map((one) => one.stop()))
    await append('all-the-while', { type: 'RUN_FINISHED', threadId: 't', runId: 'all-the-while' })
    assert.is(await following.done, 'ended')
    leave()
    assert.equal(troubles, [])
    assert.equal(
      ids,
      Array.from({ length: written! + 2 }, (_, index) => index + 1),
    )
    for (const { logFile } of cluster.nodes)
      assert.is(readFileSync(logFile, 'utf8').split('is of a later version').length - 1, 1, 'once in the log')
  },
)

test.run()
