/** `svc run`, and the routes of the owner of the machine, on the shipped program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { createNode, programArgs, type TestNode } from '../kbd/node.ts'
import { sendTo } from '../sync/daemon.ts'
import { unbuilt } from '../sync/shipped.ts'

const test = suite('svc run')

const TOKEN = 'a-token-of-the-test-with-32-bytes-or-more'

let node: TestNode
let origin: string
let tcpPort: number

/** Ends with 64, and returns the error output. */
async function wrong(...args: readonly string[]): Promise<string> {
  const child = startChild(process.execPath, { args: [...programArgs, ...args], cwd: node.folder, env: node.env })
  const { code } = await child.exited
  assert.is(code, 64, child.err)
  assert.is(child.out, '')
  return child.err
}

async function createRun(user: string, tenant: string, run_id: string): Promise<void> {
  const token = await node.svc('token', '--sub', user, '--tenant', tenant)
  const answer = await fetch(`${origin}/api/svc/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ run_id, thread_id: 't' }),
  })
  assert.is(answer.status, 201)
}

/** The first four columns of a list. */
async function list(...args: readonly string[]): Promise<readonly string[]> {
  const lines = (await node.svc('run', 'list', ...args)).split('\n').filter((line) => line !== '')
  return lines.map((line) => line.split('\t').slice(0, 4).join(' '))
}

test.before(async () => {
  if (unbuilt !== undefined) return
  tcpPort = await freePort()
  node = createNode({ SVC_SYNC__TCP: `127.0.0.1:${tcpPort}`, SVC_REALTIME__RUN_STORE: 'sqlite' })
  const file = join(node.folder, 'token')
  writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 })
  Object.assign(node.env, { SVC_SYNC__TOKEN_FILE: file })
  origin = await node.start()
  await createRun('ann', 'acme', 'r1')
  await createRun('bob', 'acme', 'r2')
  await createRun('ann', 'other', 'r3')
  await createRun('bob', 'acme', 'same')
  await createRun('cy', 'default', 'same')
})
test.after(async () => {
  if (unbuilt === undefined) await node.stop()
})

testUnless(test, unbuilt, 'list has the runs of all tenants, of one, of a user, by status', async () => {
  assert.equal([...(await list())].sort(), [
    'r1 running acme ann',
    'r2 running acme bob',
    'r3 running other ann',
    'same running acme bob',
    'same running default cy',
  ])
  assert.equal(await list('--tenant', 'other'), ['r3 running other ann'])
  assert.equal(await list('--tenant', 'acme', '--user', 'ann'), ['r1 running acme ann'])
  assert.equal(await list('--user', 'cy'), ['same running default cy'], 'the one tenant of the user')
  assert.equal(await list('--user', 'nobody'), [])
  assert.equal(await list('--status', 'failed'), [])
  const records = JSON.parse(await node.svc('run', 'list', '--user', 'bob', '--json')) as { owner: object }[]
  assert.equal(
    records.map(({ owner }) => owner),
    [
      { user_id: 'bob', tenant_id: 'acme' },
      { user_id: 'bob', tenant_id: 'acme' },
    ],
  )
})

testUnless(test, unbuilt, 'what is not one run or one tenant ends with 64 and the list of them', async () => {
  assert.match(await wrong('run', 'list', '--user', 'ann'), /--tenant: acme, other/)
  assert.match(
    await wrong('run', 'show', 'same'),
    /--tenant (acme --user bob|default --user cy), --tenant (acme --user bob|default --user cy)/,
  )
  assert.match(await wrong('run', 'cancel', 'same'), /several runs/)
  assert.match(await node.fails('run', 'show', 'none'), /There is no run none/)
  assert.match(await node.fails('run', 'show', 'r1', '--tenant', 'other'), /There is no run r1/)
  assert.match(await node.fails('run', 'list', '--status', 'ended'), /malformed_request/)
})

testUnless(test, unbuilt, 'show prints a run, cancel ends it once', async () => {
  assert.match(await node.svc('run', 'show', 'r3'), /^status\trunning$/m)
  const show = ['run', 'show', 'same', '--user', 'cy', '--json'] as const
  assert.is((JSON.parse(await node.svc(...show)) as { run_id: string }).run_id, 'same')
  for (const _time of ['first', 'second'])
    assert.match(await node.svc('run', 'cancel', 'same', '--user', 'cy'), /^status\tcancelled$/m)
  assert.equal(await list('--status', 'cancelled'), ['same cancelled default cy'])
})

testUnless(test, unbuilt, 'the routes are on the socket alone', async () => {
  const path = '/api/v1/admin/runs'
  assert.is((await sendTo({ socketPath: node.socketPath }, { path })).status, 200)
  const headers = { authorization: `Bearer ${TOKEN}`, host: `127.0.0.1:${tcpPort}` }
  const listed = await sendTo({ host: '127.0.0.1', port: tcpPort }, { path, headers })
  assert.equal([listed.status, listed.json().error?.code], [403, 'transport_forbidden'])
  const cancel = { method: 'POST', path: `${path}/r1/cancel?user=ann&tenant=acme`, headers }
  const cancelled = await sendTo({ host: '127.0.0.1', port: tcpPort }, cancel)
  assert.equal([cancelled.status, cancelled.json().error?.code], [403, 'transport_forbidden'])
  const ready = await sendTo({ host: '127.0.0.1', port: tcpPort }, { path: '/ready', headers })
  assert.is(ready.status, 200, 'the listener itself takes the token')
  const token = await node.svc('token', '--sub', 'ann', '--scope', 'svc:runs:read svc:runs:write')
  const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })
  assert.is(answer.status, 404)
})

test.run()
