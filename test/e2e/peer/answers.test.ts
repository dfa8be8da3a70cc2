/** The answers of a node about commands of a push, and its handling of wrong answers of a peer. */
import { writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pushCommand } from '../../../plugins/sync/api/commands/push.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { Acknowledgement, PushReceipt } from '../../../plugins/sync/api.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { alice, boardId, CREATE, callerOf, entries, envelope, idOf, mallory, pushFor, withCaller } from './caller.ts'
import { Refusing, startLiar, wordOf } from './lying-node.ts'
import { type Node, startNode } from './nodes.ts'
import { runIn } from './run-in.ts'

test.after.each(stopDaemons)

const failures = ({ events }: PushReceipt): readonly string[] =>
  events.filter(({ kind }) => kind === 'peer_delivery_failed').map(({ failure }) => failure!.code)
/** A node with a board whose deliveries are tried once within a test, and a peer whose answers the test defines. */
async function withLiar(
  answer: Parameters<typeof startLiar>[0],
  given: Readonly<Record<string, unknown>> = {},
): Promise<{ node: Node; liar: Awaited<ReturnType<typeof startLiar>>; stop: () => Promise<void> }> {
  const node = await startNode({ given: { 'sync.retry_first_ms': 60_000, 'sync.retry_max_ms': 60_000, ...given } })
  await node.enrol(alice, ['kbd-control:demo', 'kbd-content:demo'])
  await node.act(alice, CREATE)
  const liar = await startLiar(answer)
  await node.registry.put({ endpointId: liar.id, addresses: [liar.address], label: 'lamp', projects: ['demo'] })
  return {
    node,
    liar,
    async stop() {
      await liar.stop()
      await node.stop()
    },
  }
}

test('any commands for a push with a final acknowledgement get 409 push_finished', async () => {
  const { node, caller } = await withCaller()
  const root = await envelope(alice, CREATE, [])
  const push = pushFor(node, alice) as { requestId: string }
  const frontier = { heads: [idOf(root)] }
  const whole = await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier, commands: [root] })
  assert.is((whole.value['ack'] as Acknowledgement).state, 'applied')
  const forged = { ...root, command: { ...root.command, title: 'Forged' } }
  for (const commands of [[root], [forged], []]) {
    const given = await caller.ask('POST', '/api/v2/peer/commands', {
      project: 'demo',
      pushId: push.requestId,
      commands,
    })
    assert.equal([given.status, given.code], [409, 'push_finished'], given.text)
  }
})

test('commands that reject their push are not accepted', async () => {
  const { node, caller } = await withCaller()
  const root = await envelope(alice, CREATE, [])
  const forged = { ...root, command: { ...root.command, title: 'Forged' } }
  const push = pushFor(node, alice) as { requestId: string }
  await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier: { heads: ['f'.repeat(64)] }, commands: [] })
  const given = await caller.ask('POST', '/api/v2/peer/commands', {
    project: 'demo',
    pushId: push.requestId,
    commands: [root, forged],
  })
  assert.is((given.value['ack'] as Acknowledgement).state, 'rejected', given.text)
  assert.is(given.value['accepted'], 0)
})

test('a refused command is named by the UUID of its envelope and by its id in the graph', async () => {
  const { node, caller } = await withCaller()
  const root = await envelope(alice, CREATE, [])
  const next = await envelope(alice, { type: 'board.update', boardId, title: 'Release 2' }, [idOf(root)])
  const stranger = await envelope(mallory, { type: 'board.update', boardId, title: 'Stranger' }, [idOf(root)])
  const forged = { ...next, command: { ...next.command, title: 'Forged' } }
  const give = (pushId: string | null, commands: readonly unknown[]) =>
    caller.ask('POST', '/api/v2/peer/commands', { project: 'demo', pushId, commands })
  const named = ({ value }: { readonly value: Record<string, unknown> }): readonly unknown[] => {
    const { index, commandId, id } = value['error'] as Record<string, unknown>
    return [index, commandId, id]
  }
  const orphan = await give(null, [next])
  assert.equal([orphan.code, ...named(orphan)], ['frontier_unknown', 0, next.commandId, idOf(next)])
  const bad = await give(null, [root, forged])
  assert.equal([bad.code, ...named(bad)], ['signature_invalid', 1, forged.commandId, undefined])
  const unvouched = await give(null, [stranger])
  assert.equal([unvouched.code, ...named(unvouched)], ['signer_unknown', 0, stranger.commandId, idOf(stranger)])
  const unreadable = await give(null, [{ commandId: 'no UUID' }])
  assert.equal([unreadable.code, ...named(unreadable)], ['malformed_request', 0, undefined, undefined])

  const push = pushFor(node, alice) as { requestId: string }
  const lost = idOf(await envelope(alice, { type: 'board.update', boardId, title: 'Never sent' }, [idOf(root)]))
  await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier: { heads: [lost] }, commands: [] })
  const child = await envelope(alice, { type: 'board.update', boardId, title: 'Child' }, [lost])
  const waiting = await give(push.requestId, [child])
  assert.equal([waiting.code, ...named(waiting)], ['frontier_unknown', 0, child.commandId, idOf(child)])
})

const REJECTION = { code: 'signer_revoked', message: 'The signing device is revoked here.', retryable: false }
for (const [what, domain, over] of [
  ['rejected without a failure', 'kbd-control:demo', { state: 'rejected' }],
  [
    'rejected with a frontier',
    'kbd-control:demo',
    { state: 'rejected', failure: REJECTION, appliedFrontier: { heads: [] } },
  ],
  ['applied with a failure', 'kbd-control:demo', { state: 'applied', failure: REJECTION }],
  ['applied with a frontier for content', 'kbd-content:demo', { state: 'applied', appliedFrontier: { heads: [] } }],
  ['received with a frontier', 'kbd-control:demo', { state: 'received', appliedFrontier: { heads: [] } }],
  ['received with a failure', 'kbd-control:demo', { state: 'received', failure: REJECTION }],
] as const)
  test(`an acknowledgement that is ${what} is refused, not stored, and the push is tried again`, async () => {
    let heads: readonly string[] = []
    const { node, liar, stop } = await withLiar((_path, body, key) => {
      const given = over as Partial<Acknowledgement>
      const isApplied = domain === 'kbd-control:demo' && given.state === 'applied'
      const ack = wordOf(body, key, { ...given, ...(isApplied && { appliedFrontier: { heads } }) })
      return { ack, need: null }
    })
    heads = (await node.standing()).frontier.heads
    const { pushId } = await node.pushTo(alice, [liar], { domain })
    const receipt = await node.until(pushId, (now) => failures(now).length > 0 || now.perPeer[liar.id] !== undefined)
    assert.equal(failures(receipt), ['false_acknowledgement'])
    assert.is(receipt.perPeer[liar.id], undefined)
    assert.is((await node.peers())[0]!.lastFailure?.code, 'false_acknowledgement')
    assert.ok((await entries(node, 'peer')).some(({ outcome }) => outcome === 'false_acknowledgement'))
    const waits = await node.kernel
      .capability('ReceiptStore')
      .read(({ rows }) => rows<[n: number]>('SELECT count(*) FROM outbox')[0]![0])
    assert.is(waits, 1, 'the push is tried again')
    await stop()
  })

test('a malformed answer is recorded as the last failure of the peer', async () => {
  for (const answer of [{ ack: null, need: null }, { ack: 'a word', need: null }, { need: {} }, []]) {
    const { node, liar, stop } = await withLiar(() => answer)
    const { pushId } = await node.pushTo(alice, [liar])
    assert.equal(failures(await node.until(pushId, (now) => failures(now).length > 0)), ['bad_answer'])
    const [figure] = await node.peers()
    assert.equal([figure!.lastFailure?.code, figure!.state], ['bad_answer', 'refused'], JSON.stringify(answer))
    await stop()
  }
})

test('a peer that has received a push, needs nothing and has not applied it is recorded', async () => {
  const { node, liar, stop } = await withLiar((_path, body, key) => ({ ack: wordOf(body, key, {}), need: null }))
  const { pushId } = await node.pushTo(alice, [liar])
  const receipt = await node.until(pushId, (now) => failures(now).length > 0)
  assert.equal([failures(receipt), receipt.perPeer[liar.id]?.state], [['bad_answer'], 'received'])
  await stop()
})

test('a delivery that gets 429 is recorded as an event and in the log at once', async () => {
  const busy = { error: { code: 'rate_limited', message: 'Too many requests.' } }
  const { node, liar, stop } = await withLiar(() => new Refusing(429, busy, { 'retry-after': '10' }))
  const { pushId } = await node.pushTo(alice, [liar])
  const receipt = await node.until(pushId, (now) => failures(now).length > 0, 60_000)
  assert.equal(failures(receipt), ['rate_limited'])
  const line = node
    .logs()
    .split('\n')
    .find((one) => one.includes('"rate_limited"'))
  assert.ok(line?.includes(pushId) && line.includes(liar.id), line ?? 'no line')
  await stop()
})

test('a peer that was away and sends a request gets its pending pushes at once', async () => {
  const key = openEndpointKey(createFolder())
  const given = { 'sync.retry_first_ms': 300_000, 'sync.retry_max_ms': 300_000 }
  const one = await startNode({ given })
  await one.enrol(alice, ['kbd-control:demo'])
  await one.act(alice, CREATE)
  const applies = (heads: readonly string[]) =>
    startLiar(
      (_path, body) => ({ ack: wordOf(body, key, { state: 'applied', appliedFrontier: { heads } }), need: null }),
      key,
    )
  const { heads } = (await one.standing()).frontier
  const peer = await applies(heads)
  await one.registry.put({ endpointId: key.endpointId, addresses: ['127.0.0.1:1'], label: null, projects: ['demo'] })
  const { pushId } = await one.pushTo(alice, [{ id: key.endpointId }])
  await one.until(pushId, (now) => failures(now).includes('unreachable'))
  await one.registry.put({ endpointId: key.endpointId, addresses: [peer.address], label: null, projects: ['demo'] })
  await callerOf(one, key).ask('GET', '/api/v2/peer/projects/demo/frontier')
  await one.until(pushId, ({ perPeer }) => perPeer[key.endpointId]?.state === 'applied', 60_000)
  await peer.stop()
})

test('a peer is behind by the commands that it is known to lack', async () => {
  const { node, caller } = await withCaller()
  const root = await envelope(alice, CREATE, [])
  const next = await envelope(alice, { type: 'board.update', boardId, title: 'Release 2' }, [idOf(root)])
  const behind = async (): Promise<number | undefined> => (await node.peers())[0]!.projects['demo']?.behind
  const push = (heads: readonly string[], commands: readonly unknown[] = []) =>
    caller.ask('POST', '/api/v2/peer/pushes', { push: pushFor(node, alice), frontier: { heads }, commands })
  await push([idOf(next)], [root, next])
  assert.is(await behind(), 0)
  await push([idOf(root)])
  assert.is(await behind(), 0, 'an older frontier does not lower the known state')
  await node.act(alice, { type: 'board.update', boardId, title: 'Release 3' })
  assert.is(await behind(), 1)
  await push(['f'.repeat(64)])
  assert.is(await behind(), 0, 'the commands below an unknown head are unknown')
})

test('svc push --follow exits with 1 if a target rejects the push', async () => {
  const state = { rejected: false }
  const { node, liar, stop } = await withLiar((_path, body, key) => {
    const over = state.rejected ? { state: 'rejected' as const, failure: REJECTION } : { state: 'applied' as const }
    return { ack: wordOf(body, key, state.rejected ? over : { ...over, appliedFrontier: { heads } }), need: null }
  })
  const { heads } = (await node.standing()).frontier
  const folder = createFolder()
  writeFileSync(`${folder}/a.key`, alice.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  for (const rejected of [false, true]) {
    state.rejected = rejected
    const ran = await runIn(folder, pushCommand, [
      ...['--key', `${folder}/a.key`, '--domain', 'kbd-control:demo', '--target', liar.id],
      ...['--socket', node.socketPath, '--follow'],
    ])
    assert.is(ran.code, rejected ? 1 : 0, `${ran.out}${ran.err}`)
  }
  await stop()
})

test.run()
