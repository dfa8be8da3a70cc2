import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { cheapHashes } from '../../support/cheap-hashes.ts'
import { startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { createNode, programArgs, type TestNode } from '../kbd/node.ts'
import { unbuilt } from '../sync/shipped.ts'

const test = suite('svc key and svc user')

const RUNS = '/api/svc/runs'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Started {
  readonly node: TestNode
  readonly origin: string
  /** Runs a command, however it ends. */
  run(...args: readonly string[]): Promise<Ended>
  /** Creates a key, and returns its text and its id. */
  key(...args: readonly string[]): Promise<{ readonly key: string; readonly id: string }>
  status(credential: { readonly key: string } | { readonly as: string }): Promise<number>
}

/** Starts the service with a key store. */
function start(store: string): Promise<Started> {
  return serve(createNode({ ...cheapHashes, SVC_SECURITY__KEY_STORE: store, SVC_REALTIME__RUN_STORE: store }))
}

async function serve(node: TestNode): Promise<Started> {
  const origin = await node.start()
  const run = async (...args: readonly string[]): Promise<Ended> => {
    const child = startChild(process.execPath, { args: [...programArgs, ...args], cwd: node.folder, env: node.env })
    const { code } = await child.exited
    return { code, out: child.out, err: child.err }
  }
  return {
    node,
    origin,
    run,
    async key(...args) {
      const { code, out, err } = await run('key', 'create', ...args)
      assert.is(code, 0, err)
      assert.match(out, /^svc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}\n$/, 'the key alone')
      return { key: out.trim(), id: out.slice(4, 20) }
    },
    async status(credential) {
      const headers: Record<string, string> =
        'key' in credential ? { 'x-api-key': credential.key } : { authorization: `Bearer ${credential.as}` }
      return (await fetch(origin + RUNS, { headers })).status
    },
  }
}

/** The columns id, state, tenant, user and scopes of a list. */
async function list(node: TestNode, ...args: readonly string[]): Promise<readonly string[]> {
  const lines = (await node.svc('key', 'list', ...args)).split('\n').filter((line) => line !== '')
  return lines.map((line) => line.split('\t').slice(0, 5).join(' ').trim())
}

for (const store of ['memory', 'sqlite']) {
  testUnless(test, unbuilt, `${store}: keys are created, listed, replaced and revoked`, async () => {
    const { node, key, run, status } = await start(store)
    const backend = await key('--user', 'backend', '--scope', 'svc:act', '--scope', 'a b', '--expires-in', '600')
    const ann = await key('--user', 'ann', '--tenant', 'acme')
    for (const one of [backend, ann]) assert.is(await status(one), 200)
    const lines = [`${backend.id} active default backend svc:act a b`, `${ann.id} active acme ann`]
    assert.equal([...(await list(node))].sort(), lines.sort())
    assert.equal(await list(node, '--user', 'ann'), [`${ann.id} active acme ann`], 'the one tenant of the user')
    assert.equal(await list(node, '--tenant', 'acme', '--user', 'backend'), [])
    const fresh = await key('--replaces', backend.id, '--overlap', '0')
    assert.equal([await status(fresh), await status(backend)], [200, 401])
    assert.equal(await list(node, '--user', 'backend'), [
      `${fresh.id} active default backend svc:act a b`,
      `${backend.id} expired default backend svc:act a b`,
    ])
    const again = await key('--replaces', fresh.id)
    assert.equal([await status(again), await status(fresh)], [200, 200], 'both for an hour')
    assert.match(await node.svc('key', 'revoke', fresh.id), /\trevoked\t/)
    assert.equal([await status(again), await status(fresh)], [200, 401])
    const { code, err } = await run('key', 'revoke', '0000000000000000')
    assert.equal([code, /There is no such API key/.test(err)], [1, true])
    const made = JSON.parse(await node.svc('key', 'create', '--user', 'ann', '--json')) as {
      key: string
      record: { tenant_id: string; made_by?: string }
    }
    assert.equal([made.record.tenant_id, made.record.made_by, await status(made)], ['acme', undefined, 200])
    const all = JSON.parse(await node.svc('key', 'list', '--json')) as { id: string }[]
    assert.is(all.length, 5)
    await node.stop()
    if (store === 'sqlite') {
      const after = await serve(node)
      assert.equal([await after.status(again), await after.status(backend), await after.status(ann)], [200, 401, 200])
      await node.stop()
    }
  })

  testUnless(test, unbuilt, `${store}: a user is revoked, restored and erased`, async () => {
    const { node, key, status, origin, run } = await start(store)
    const keys = [
      await key('--user', 'ann', '--tenant', 'acme'),
      await key('--user', 'bob', '--tenant', 'acme'),
    ] as const
    const [ann, bob] = keys
    for (const one of keys)
      for (const run_id of ['r1', 'r2']) {
        const headers = { 'x-api-key': one.key, 'content-type': 'application/json' }
        const answer = await fetch(origin + RUNS, { method: 'POST', headers, body: JSON.stringify({ run_id }) })
        assert.is(answer.status, 201)
      }
    const as = await node.svc('token', '--sub', 'ann', '--tenant', 'acme')
    assert.is(await status({ as }), 200)
    assert.match(await node.svc('user', 'revoke', 'ann', '--reason', 'lost phone'), /^reason\tlost phone$/m)
    assert.equal([await status({ as }), await status(ann), await status(bob)], [401, 401, 200])
    assert.match(await node.svc('user', 'restore', 'ann'), /^lifted_at_ms\t\d+$/m)
    assert.is(await status({ as }), 401, 'what was issued before stays refused')
    const { code, out, err } = await run('user', 'erase', 'ann', '--json')
    assert.is(code, 0, err)
    assert.equal(JSON.parse(out), { tenant_id: 'acme', user_id: 'ann', keys: 1, runs: 2, reasons: 1 })
    assert.match(err, /Boards keep/)
    assert.equal(await list(node, '--user', 'ann'), [])
    assert.equal((await list(node, '--user', 'bob')).length, 1)
    assert.match(
      await node.svc('run', 'list', '--tenant', 'acme'),
      /^r[12]\trunning\tacme\tbob\t.*\nr[12]\trunning\tacme\tbob\t/,
    )
    assert.match((await run('user', 'restore', 'nobody')).err, /This user is not revoked/)
    await node.stop()
  })
}

testUnless(test, unbuilt, 'a user of several tenants ends with 64 and the list of them, for svc run too', async () => {
  const { node, key, run, origin } = await start('memory')
  const one = await key('--user', 'ann', '--tenant', 'acme')
  const other = await node.svc('token', '--sub', 'ann', '--tenant', 'other')
  const made = await fetch(origin + RUNS, { method: 'POST', headers: { authorization: `Bearer ${other}` } })
  assert.is(made.status, 201)
  await node.svc('user', 'revoke', 'ann', '--tenant', 'third')
  for (const args of [
    ['key', 'create', '--user', 'ann'],
    ['key', 'list', '--user', 'ann'],
    ['user', 'erase', 'ann'],
    ['run', 'list', '--user', 'ann'],
  ]) {
    const { code, out, err } = await run(...args)
    assert.equal([code, out], [64, ''], err)
    assert.match(err, /--tenant: acme, other, third/)
  }
  assert.equal((await list(node, '--user', 'ann', '--tenant', 'acme')).length, 1)
  assert.is(await (async () => (await fetch(origin + RUNS, { headers: { 'x-api-key': one.key } })).status)(), 200)
  await node.stop()
})

testUnless(test, unbuilt, 'every act is a record of svc::auth with the owner of the machine', async () => {
  const { node, key } = await start('memory')
  const { id } = await key('--user', 'ann')
  await node.svc('key', 'list')
  await node.svc('key', 'revoke', id)
  for (const act of ['revoke', 'restore', 'erase']) await node.svc('user', act, 'ann')
  // The service answers before the test has read its log.
  await until('the last record', async () => node.logs().includes('A user is erased.'), 60_000)
  const records = node
    .logs()
    .split('\n')
    .flatMap((line) => (line.includes('"svc::auth"') ? [JSON.parse(line) as Record<string, unknown>] : []))
  assert.equal(
    records.map(({ level, user, tenant, message }) => [level, tenant, user, message].join(' ')),
    [
      'INFO default ann An API key is made for a user.',
      'INFO * * API keys are listed.',
      'INFO default ann An API key of a user is revoked.',
      'INFO default ann A user is revoked.',
      'INFO default ann The revocation of a user is lifted.',
      'INFO default ann A user is erased.',
    ],
  )
  assert.ok(records.every(({ owner }) => typeof owner === 'string' && owner !== ''))
  await node.stop()
})

test.run()
