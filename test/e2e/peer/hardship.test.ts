/** Peers under difficult conditions: wrong clocks, a full disk, a used up quota and a rotated key. */
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin } from '../../../core/declare/plugin.ts'
import type { TraceContext } from '../../../core/http/request.ts'
import { peerCommand } from '../../../plugins/peer/registry/commands/peer.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { feature as traces } from '../../../plugins/telemetry/traces/feature.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { mountTmpfs, noTmpfs, unmount } from '../../support/faults.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder, createSigner, signed } from '../../unit/sync/platforms.ts'
import { pushOf, stopDaemons } from '../sync/daemon.ts'
import { type Node, startNode } from './nodes.ts'
import { runIn } from './run-in.ts'

const test = suite('peers in hardship')
test.after.each(stopDaemons)
const alice = createSigner()
const boardId = randomUUID()
const failed = (code: string) => (receipt: PushReceipt) => receipt.events.some(({ failure }) => failure?.code === code)
const applied = (peer: Node) => (receipt: PushReceipt) => receipt.perPeer[peer.id]?.state === 'applied'

async function acquaint(...nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) {
    await node.enrol(alice, ['kbd-control:demo'])
    for (const other of nodes) if (other !== node) await node.enter(other)
  }
}

test('a peer whose clock is behind accepts the commands and records that they are ahead, and a sender whose clock is set back continues', async () => {
  const offsets = { one: 0, two: -3_600_000 }
  const one = await startNode({ clock: { now: () => Date.now() + offsets.one } })
  const two = await startNode({ clock: { now: () => Date.now() + offsets.two } })
  for (const node of [one, two]) await node.enrol(alice, ['kbd-control:demo'])
  await one.enter(two)
  await one.act(alice, { type: 'board.create', boardId, title: 'Release' })
  const { pushId } = await one.pushTo(alice, [two])
  await one.until(pushId, failed('not_listed'))
  // The sender's clock is set back by a day, so its planned attempts are a day ahead. They must still be tried.
  offsets.one = -86_400_000
  await two.enter(one)
  await one.until(pushId, applied(two))
  const { entries } = (await two.send({ path: '/api/v1/audit?kind=command' })).json() as {
    entries: { outcome: string }[]
  }
  assert.equal(
    entries.map(({ outcome }) => outcome),
    ['command_from_future'],
  )
  assert.equal(await two.standing(), await one.standing())
})

const fullDisk = async (): Promise<void> => {
  const state = createFolder()
  mountTmpfs(state, 8)
  try {
    const [one, two] = [await startNode(), await startNode({ given: { 'storage.dir': state } })]
    await acquaint(one, two)
    const filler = openSync(join(state, 'filler'), 'w')
    assert.throws(() => {
      for (let i = 0; i < 1_024; i++) writeSync(filler, Buffer.alloc(16_384))
    }, /ENOSPC/)
    closeSync(filler)
    await one.act(alice, { type: 'board.create', boardId, title: 'Release' })
    const titles = Array.from({ length: 120 }, (_, i) => `${i}`.padEnd(1_000, '.'))
    await one.act(alice, ...titles.map((title) => ({ type: 'board.update' as const, boardId, title })))
    const { pushId } = await one.pushTo(alice, [two])
    await one.until(pushId, failed('receipt_store_unavailable'))
    assert.is((await two.standing()).revision, 0)
    rmSync(join(state, 'filler'))
    await one.until(pushId, applied(two))
    assert.equal(await two.standing(), await one.standing())
    assert.equal((await two.send({ path: '/api/v1/audit/verify' })).json()['ok'], true)
    for (const node of [one, two]) await node.stop()
  } finally {
    unmount(state)
  }
}
testUnless(test, noTmpfs, 'a peer with a full disk refuses the push, and the push arrives once there is room', fullDisk)

test('after svc peer rotate the audit chain is valid with the new key, and peers report a wrong key', async () => {
  const folder = createFolder()
  const before = await startNode({ folder })
  const two = await startNode()
  await acquaint(before, two)
  await before.act(alice, { type: 'board.create', boardId, title: 'Release' })
  await before.stop()
  const rotated = await runIn(folder, peerCommand, ['rotate'])
  assert.is(rotated.code, 0, rotated.err)
  const after = await startNode({ folder })
  assert.equal([`${after.id}\n`, after.id === before.id], [rotated.out, false])
  const verdict = (await after.send({ path: '/api/v1/audit/verify' })).json() as unknown as {
    ok: boolean
    checkpoint: { endpointId: string; seq: number }
    count: number
  }
  assert.equal([verdict.ok, verdict.checkpoint.endpointId], [true, after.id])
  assert.is(verdict.checkpoint.seq, verdict.count, 'the last entry is signed')

  await two.enter({ ...before, address: after.address })
  await two.act(alice, { type: 'board.create', boardId: randomUUID(), title: 'Other' })
  const { pushId } = await two.pushTo(alice, [before])
  await two.until(pushId, failed('wrong_key'))
})

test('the trace of a push continues in the requests to its peers', async () => {
  const seen: string[] = []
  const listening = definePlugin({
    name: 'test.listening',
    feature: 'test.listening',
    setup: (ctx) =>
      ctx.hook('peer', { onRequest: (request) => void seen.push(request.header('traceparent') ?? 'none') }),
  })
  const [one, two] = [await startNode({}, [traces]), await startNode({}, [listening])]
  await acquaint(one, two)
  await one.act(alice, { type: 'board.create', boardId, title: 'Release' })
  const trace = randomUUID().replaceAll('-', '') as TraceContext['traceId']
  const request = pushOf(signed(alice, { issuedAtMs: Date.now(), targetEndpointIds: [two.id] }))
  const headers = { ...request.headers, traceparent: `00-${trace}-00f067aa0ba902b7-01` }
  const reply = await one.send({ ...request, headers })
  assert.is(reply.status, 201, reply.text)
  await one.until(String(reply.json()['pushId']), applied(two))
  assert.ok(seen.length >= 2, 'the push and its commands')
  for (const parent of seen) assert.match(parent, new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`))
  assert.is(new Set(seen).size, seen.length, 'each request is a separate span')
})

test('a peer that exceeds its bytes per minute gets 429 with Retry-After, and other peers do not', async () => {
  const two = await startNode({ given: { 'peer.bytes_per_minute': 1_048_576 } })
  const [one, other] = [await startNode(), await startNode()]
  await acquaint(one, two, other)
  await one.act(alice, { type: 'board.create', boardId, title: 'Release' })
  const ask = async (node: Node, body: Uint8Array): Promise<number> => {
    const hash = createHash('sha256').update(body).digest('hex')
    const { createLink } = await import('../../../plugins/peer/tls/link.ts')
    const link = createLink({
      key: node.kernel.capability('SyncShared').ownKey,
      timeoutMs: WAIT_MS,
      idleTimeoutMs: 5_000,
      maxConnections: 1,
    })
    const entry = { endpointId: two.id, addresses: [two.address], label: null, projects: [], source: 'cli' } as const
    const headers = { 'svc-peer-version': '1', 'content-type': 'application/octet-stream' }
    const path = `/api/v2/peer/projects/demo/content/${hash}`
    const { status, headers: answerHeaders } = await link.exchange(entry, { method: 'PUT', path, headers, body })
    link.close()
    if (status === 429) assert.match(String(answerHeaders['retry-after']), /^[1-9]/)
    return status
  }
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push(await ask(one, Buffer.alloc(262_144, i)))
  assert.equal(statuses.slice(0, 4), [201, 201, 201, 201])
  assert.ok(statuses.includes(429), String(statuses))
  assert.is(await ask(other, Buffer.from('a text')), 201)
})

test.run()
