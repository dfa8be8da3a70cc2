/**
 * API keys on three shipped nodes: created on one node, used, exchanged and revoked on others, also while PostgreSQL is
 * away.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { measureLoopDelay } from '../../support/loop-delay.ts'
import { testUnless } from '../../support/skip.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { readRun } from './run-reader.ts'

const test = suite('cluster: keys of three nodes')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster, name, work)

const KEYS = '/api/svc/auth/keys'
const RUNS = '/api/svc/runs'

let cluster: Cluster
let owner: string

test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster(3)
  owner = tokenFor({ user: 'ada', tenant: 'acme', scopes: ['a'] })
})
test.after(() => cluster?.stop())

async function make(): Promise<{ key: string; id: string }> {
  const { status, body } = await cluster.send(KEYS, { method: 'POST', as: owner, body: { name: 'k' } })
  assert.is(status, 201, JSON.stringify(body))
  return { key: String(body['key']), id: (body['record'] as { id: string }).id }
}

const statuses = (given: { key: string } | { as: string }): Promise<number[]> =>
  Promise.all([0, 1, 2].map(async (node) => (await cluster.send(RUNS, { ...given, node })).status))

/**
 * Waits until requests get 401 on every node. Returns how long they were accepted, in milliseconds: until the start of
 * the last requests that were not refused.
 */
async function acceptedFor(request: () => Promise<number[]>): Promise<number> {
  const since = performance.now()
  let acceptedAt = since
  const isRefused = async (): Promise<boolean> => {
    const sentAt = performance.now()
    if ((await request()).every((status) => status === 401)) return true
    acceptedAt = sentAt
    return false
  }
  await until('they are refused everywhere', isRefused, 60_000)
  return acceptedAt - since
}

const ready = (): Promise<number[]> =>
  Promise.all([0, 1, 2].map(async (node) => (await cluster.send('/readyz', { node })).status))

it('a key that is revoked on one node is refused on all within a second, with its tokens, and its streams end', async () => {
  const { key, id } = await make()
  const { body } = await cluster.send('/api/svc/auth/exchange', { method: 'POST', key, node: 0 })
  const token = String(body['access_token'])
  const stream = await fetch(`${cluster.nodes[2]!.base}/api/live`, { headers: { 'x-api-key': key } })
  assert.is(stream.status, 200)
  let hasEnded = false
  void stream.text().then(() => {
    hasEnded = true
  })
  assert.equal(await statuses({ as: token }), [200, 200, 200], 'a token of one node works on all')
  assert.not.ok(hasEnded, 'its stream is open')
  const loop = measureLoopDelay()
  assert.is((await cluster.send(`${KEYS}/${id}`, { method: 'DELETE', as: owner, node: 0 })).status, 204)
  const acceptedMs = await acceptedFor(async () => [...(await statuses({ key })), ...(await statuses({ as: token }))])
  assert.ok(acceptedMs < 1_000 + loop.maxMs, `${acceptedMs} ms, in a process that was ${loop.maxMs} ms late`)
  await until('its stream has ended', async () => hasEnded, 60_000)
})

it('while PostgreSQL is away known keys work and other keys get 503; nodes are alive but not ready, and recover', async () => {
  const [known, cold] = [await make(), await make()]
  assert.equal(await statuses(known), [200, 200, 200])
  await cluster.postgres.kill()
  await until('no node is ready', async () => (await ready()).every((status) => status === 503), 60_000)
  assert.equal(await statuses(known), [200, 200, 200])
  const refused = await cluster.send(RUNS, { key: cold.key, node: 1 })
  assert.equal([refused.status, refused.code, refused.headers.get('retry-after')], [503, 'overloaded', '1'])
  assert.is((await cluster.send(KEYS, { method: 'POST', as: owner, body: { name: 'k' } })).status, 503)
  assert.is((await cluster.send('/health')).status, 200)
  assert.is((await cluster.send(RUNS, { as: owner })).status, 200, 'requests with a JWT still succeed')
  assert.match(
    await (await fetch(`${cluster.nodes[0]!.base}/metrics`)).text(),
    /svc_cluster_engine_up\{engine="postgres"\} 0/,
  )
  await cluster.postgres.start()
  await until('every node is ready', async () => (await ready()).every((status) => status === 200), 60_000)
  assert.equal(await statuses(cold), [200, 200, 200])
  await cluster.send(`${KEYS}/${known.id}`, { method: 'DELETE', as: owner })
  const loop = measureLoopDelay()
  const acceptedMs = await acceptedFor(() => statuses(known))
  assert.ok(acceptedMs < 1_000 + loop.maxMs, `${acceptedMs} ms, in a process that was ${loop.maxMs} ms late`)
})

it('after a quick restart of PostgreSQL a ready node looks up unknown keys', async () => {
  for (let round = 0; round < 3; round++) {
    const cold = await make()
    await ready()
    await cluster.postgres.kill()
    await cluster.postgres.start()
    for (const node of [0, 1, 2]) {
      const isReady = async (): Promise<boolean> => (await cluster.send('/readyz', { node })).status === 200
      await until('it is ready', isReady, 60_000)
      assert.is((await cluster.send(RUNS, { key: cold.key, node })).status, 200)
    }
  }
})

it('after kill -9 of PostgreSQL known callers continue to write and read runs, without lost or duplicate events', async () => {
  const { key } = await make()
  const { body } = await cluster.send('/api/svc/auth/exchange', { method: 'POST', key })
  const token = String(body['access_token'])
  for (const known of [{ key }, { as: token }]) assert.equal(await statuses(known), [200, 200, 200])
  assert.is((await cluster.send(RUNS, { method: 'POST', as: owner, body: { run_id: 'on' } })).status, 201)
  const readers = await Promise.all([owner, token].map((as, node) => readRun(cluster.nodes[node]!.base, 'on', { as })))
  let sent = 0
  const write = async (times: number): Promise<void> => {
    for (const end = sent + times; sent < end; sent++) {
      const who = [{ as: owner }, { key }, { as: token }][sent % 3]!
      const event =
        sent === 0
          ? { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
          : { type: 'CUSTOM', name: String(sent), value: 0 }
      // Each caller through each node.
      const node = Math.floor(sent / 3) % 3
      const answer = await cluster.send(`${RUNS}/on/events`, { method: 'POST', ...who, body: event, node })
      assert.equal([answer.status, answer.body['last_seq']], [200, sent + 1], JSON.stringify(answer.body))
    }
  }
  await write(9)
  const writing = write(40)
  await cluster.postgres.kill()
  await until('no node is ready', async () => (await ready()).every((status) => status === 503), 60_000)
  await writing
  await write(9)
  const late = await readRun(cluster.nodes[2]!.base, 'on', { as: token, after: readers[0]!.ids.at(0)! })
  const restarted = cluster.postgres.start()
  await write(9)
  await restarted
  await write(9)
  const all = Array.from({ length: sent }, (_, index) => String(index + 1))
  for (const [reader, expected] of [...readers.map((one) => [one, all] as const), [late, all.slice(1)] as const]) {
    await until('all is read', async () => reader.ids.length === expected.length, 60_000)
    assert.equal(
      reader.ids.map((id) => id.split('-')[1]),
      expected,
    )
    assert.not.ok(reader.over, 'the stream stayed open')
    reader.close()
  }
  await until('every node is ready', async () => (await ready()).every((status) => status === 200), 60_000)
})

it('if the previous secret is set beside the new one, tokens of both are accepted', async () => {
  const { key } = await make()
  const old = String((await cluster.send('/api/svc/auth/exchange', { method: 'POST', key })).body['access_token'])
  const node = await cluster.join({
    SVC_SECURITY__EXCHANGE_SECRET: 'the secret that comes after it, long enough as well',
    SVC_SECURITY__EXCHANGE_SECRET_PREVIOUS: 'a secret that the nodes of the tests share, long enough',
  })
  assert.is((await cluster.send(RUNS, { as: old, node: 3 })).status, 200)
  const made = String(
    (await cluster.send('/api/svc/auth/exchange', { method: 'POST', key, node: 3 })).body['access_token'],
  )
  assert.is((await cluster.send(RUNS, { as: made, node: 3 })).status, 200)
  assert.is((await cluster.send(RUNS, { as: made, node: 0 })).code, 'token_signature_invalid')
  cluster.nodes.splice(3, 1)
  await node.stop()
})

it('what the owner of one machine does to keys and users holds on every node within a second', async () => {
  const [one, two] = cluster.nodes as [(typeof cluster.nodes)[0], (typeof cluster.nodes)[0]]
  const key = (await one.command('key', 'create', '--user', 'backend', '--scope', 'svc:act')).trim()
  assert.equal(await statuses({ key }), [200, 200, 200])
  const id = key.slice(4, 20)
  assert.match(await two.command('key', 'list', '--user', 'backend'), new RegExp(`^${id}\tactive\tdefault\tbackend`))
  const fresh = (await two.command('key', 'create', '--replaces', id, '--overlap', '0')).trim()
  const checkOnTime = async (ended: string): Promise<void> => {
    const loop = measureLoopDelay()
    const acceptedMs = await acceptedFor(() => statuses({ key: ended }))
    assert.ok(acceptedMs < 1_000 + loop.maxMs, `${acceptedMs} ms, in a process that was ${loop.maxMs} ms late`)
  }
  await checkOnTime(key)
  assert.equal(await statuses({ key: fresh }), [200, 200, 200])
  const run = await cluster.send(RUNS, { method: 'POST', key: fresh, body: { run_id: 'of-backend' }, node: 2 })
  assert.is(run.status, 201)
  await one.command('user', 'revoke', 'backend', '--reason', 'stolen')
  await checkOnTime(fresh)
  const erased = JSON.parse(await two.command('user', 'erase', 'backend', '--json')) as Record<string, unknown>
  assert.equal([erased['keys'], erased['runs'], erased['reasons']], [2, 1, 1])
  for (const node of [one, two]) {
    assert.is(await node.command('key', 'list', '--user', 'backend', '--tenant', 'default'), '')
    assert.is(await node.command('run', 'list', '--user', 'backend', '--tenant', 'default'), '')
  }
})

it('a node that starts while PostgreSQL is away is alive at once, and ready when PostgreSQL is back', async () => {
  await cluster.postgres.kill()
  const node = await cluster.join()
  assert.equal(
    [(await cluster.send('/health', { node: 3 })).status, (await cluster.send('/readyz', { node: 3 })).status],
    [200, 503],
  )
  await cluster.postgres.start()
  await until('it is ready', async () => (await cluster.send('/readyz', { node: 3 })).status === 200, 60_000)
  cluster.nodes.splice(3, 1)
  await node.stop()
})

test.run()
