/**
 * Strangers, lying peers, and requests that are not for peers: nothing is accepted or shown, and the audit chain
 * records the refusals.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandEnvelope } from '../../../plugins/kbd/api.ts'
import type { HandshakeOptions } from '../../../plugins/peer/tls/handshake.ts'
import { verifyAcknowledgement } from '../../../plugins/protocol/sign/index.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { Acknowledgement, PushReceipt } from '../../../plugins/sync/api.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { createFolder, createSigner } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import {
  type Answer,
  alice,
  boardId,
  CREATE,
  callerOf,
  entries,
  envelope,
  idOf,
  isClosed,
  mallory,
  pushFor,
  withCaller,
} from './caller.ts'
import { startNode } from './nodes.ts'

test.after.each(stopDaemons)

test('a stranger is disconnected after the handshake, and without a key, the protocol or TLS 1.3 the handshake fails', async () => {
  const { node, caller } = await withCaller()
  const stranger = callerOf(node)
  const socket = await stranger.open()
  assert.is(await isClosed(socket), true)
  assert.is(socket.bytesRead, 0, 'not a byte of HTTP')
  for (const over of [
    { key: undefined, cert: undefined },
    { ALPNProtocols: ['http/1.1'] },
    { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
  ]) {
    const refused = await caller.open(over as unknown as Partial<HandshakeOptions>).then(isClosed, () => true)
    assert.is(refused, true, JSON.stringify(over))
  }
  assert.is((await caller.ask('GET', '/api/v2/peer/projects/demo/frontier')).status, 200, 'an entered peer is answered')
})

test('a TLS session cannot be resumed, because a resumed session proves no key', async () => {
  const { caller } = await withCaller()
  const first = await caller.open()
  // The server sends tickets, although it stores no session that they name.
  const [session] = (await once(first, 'session', { signal: AbortSignal.timeout(WAIT_MS) })) as [Buffer]
  first.destroy()
  const again = await caller.open({ session } as Partial<HandshakeOptions>)
  assert.is(again.isSessionReused(), false)
  again.destroy()
})

test('routes of other surfaces get 403 before any other check, the v1 push with its three headers', async () => {
  const { caller } = await withCaller()
  for (const [method, path] of [
    ['POST', '/api/v1/sync/push'],
    ['DELETE', '/api/v1/sync/push'],
    ['GET', '/api/v1/status'],
    ['POST', '/api/v2/sync/pushes'],
    ['GET', '/api/v1/nothing'],
  ] as const) {
    const answer = await caller.ask(method, path, undefined, { 'svc-peer-version': '9' })
    assert.equal([answer.status, answer.code], [403, 'transport_forbidden'], path)
    const isPush = path === '/api/v1/sync/push'
    for (const name of ['deprecation', 'sunset', 'link']) assert.is(name in answer.headers, isPush, `${path} ${name}`)
  }
  assert.equal(
    [(await caller.ask('GET', '/health')).code, (await caller.ask('GET', '/api/v2/peer/nothing')).code],
    ['not_found', 'not_found'],
  )
  const old = await caller.ask('GET', '/api/v2/peer/projects/demo/frontier', undefined, { 'svc-peer-version': '2' })
  assert.equal(
    [old.status, old.code, old.headers['upgrade'], old.headers['svc-peer-version']],
    [426, 'version_unsupported', 'svc-peer/1', '1'],
  )
})

test('a project outside the entry gets 404 like an unknown one, and encoded, malformed and too large bodies are refused', async () => {
  const { node, caller } = await withCaller()
  await node.enrol(mallory, ['kbd-control:secret'])
  const path = (project: string) => `/api/v2/peer/projects/${project}/frontier`
  const [secret, nothing] = [await caller.ask('GET', path('secret')), await caller.ask('GET', path('nothing'))]
  assert.equal([secret.status, secret.text], [404, nothing.text])
  for (const project of ['secret', 'nothing']) {
    const commands = await caller.ask('POST', '/api/v2/peer/commands', { project, pushId: null, commands: [] })
    assert.equal([commands.status, commands.code], [404, 'scope_not_found'])
    const push = pushFor(node, mallory, { domain: `kbd-control:${project}` })
    const pushed = await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier: null, commands: [] })
    assert.equal([pushed.status, pushed.code], [404, 'scope_not_found'], pushed.text)
  }
  const body = { push: pushFor(node, alice), frontier: null, commands: [] }
  const code = async (over: unknown, headers: Record<string, string> = {}): Promise<string> => {
    const { status, code } = await caller.ask('POST', '/api/v2/peer/pushes', over, headers)
    return `${status} ${code}`
  }
  assert.is(await code(body, { 'content-encoding': 'gzip' }), '415 unsupported_media_type')
  assert.is(await code(body, { 'content-type': 'text/plain' }), '415 unsupported_media_type')
  assert.is(await code({ ...body, more: 1 }), '400 malformed_request')
  assert.is(await code({ ...body, frontier: { heads: ['b'.repeat(64), 'a'.repeat(64)] } }), '400 malformed_request')
  assert.is(await code({ ...body, commands: ['x'.repeat(262_144)] }), '413 payload_too_large')
  assert.is(
    await code({ ...body, push: pushFor(node, alice, { targetEndpointIds: [caller.id] }) }),
    '422 target_invalid',
  )
  assert.is(
    await code({ ...body, push: pushFor(node, alice, { issuedAtMs: Date.now() - 8 * 86_400_000 }) }),
    '422 request_stale',
  )
  assert.is(await code({ ...body, push: pushFor(node, mallory) }), '200 undefined', 'an acknowledgement: not in scope')
  assert.is(await code({ ...body, push: pushFor(node, createSigner()) }), '403 signer_unknown')
  assert.is(await code({ ...body, push: { ...body.push, domain: 'kbd-content:demo' } }), '401 signature_invalid')
})

test('refusals after the signature check are signed, final and the same each time', async () => {
  const { node, caller } = await withCaller()
  await node.enrol(mallory, ['kbd-control:other'])
  const send = async (
    push: object,
    frontier: unknown = null,
    commands: readonly unknown[] = [],
  ): Promise<Acknowledgement> => {
    const answer = await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier, commands })
    assert.is(answer.status, 200, answer.text)
    const ack = answer.value['ack'] as Acknowledgement
    assert.is(await verifyAcknowledgement(ack), true)
    assert.is(ack.endpointId, node.id)
    return ack
  }
  const outside = pushFor(node, mallory)
  const word = await send(outside)
  assert.equal([word.state, word.failure?.code, word.appliedFrontier], ['rejected', 'signer_not_in_scope', null])
  assert.equal(await send(outside), word, 'byte for byte')

  const taken = pushFor(node, alice) as { requestId: string }
  assert.is((await send(taken)).state, 'applied', 'a project without commands needs no commands')
  const other = pushFor(node, alice, { requestId: taken.requestId, issuedAtMs: Date.now() - 1 })
  assert.is((await send(other)).failure?.code, 'request_id_conflict')
  assert.is((await send(taken)).state, 'applied')

  const root = await envelope(alice, CREATE, [])
  const forged = { ...root, command: { ...root.command, title: 'Forged' } }
  const lies = await send(pushFor(node, alice), { heads: ['a'.repeat(64)] }, [forged])
  assert.equal([lies.state, lies.failure?.code], ['rejected', 'signature_invalid'])
  assert.equal((await node.standing()).revision, 0)
  const outcomes = (await entries(node, 'refusal')).map(({ outcome }) => outcome)
  assert.equal(outcomes.sort(), ['request_id_conflict', 'signature_invalid', 'signer_not_in_scope'])
})

test('commands out of order are refused, and commands of a push stay hidden until all have arrived', async () => {
  const { node, caller } = await withCaller()
  const sender = await startNode()
  await sender.enrol(alice, ['kbd-control:demo'])
  await sender.enrol(mallory, ['kbd-control:demo'])
  // Mallory is not enrolled at the node, so only the push of alice vouches for her command.
  await sender.act(alice, CREATE)
  await sender.act(mallory, { type: 'board.update', boardId, title: 'By a stranger' })
  const { frontier } = await sender.act(alice, { type: 'board.update', boardId, title: 'Release 2' })
  const listed = (await sender.send({ path: '/api/v1/kbd/projects/demo/commands' })).json() as unknown as {
    commands: { envelope: CommandEnvelope }[]
  }
  const [first, second, third] = listed.commands.map((one) => one.envelope)
  const push = pushFor(node, alice) as { requestId: string }
  const opened = await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier, commands: [] })
  assert.equal((opened.value['need'] as { have: unknown }).have, { heads: [] })
  const give = (commands: readonly unknown[], pushId: string | null = push.requestId): Promise<Answer> =>
    caller.ask('POST', '/api/v2/peer/commands', { project: 'demo', pushId, commands })
  const early = await give([third])
  assert.equal(
    [early.status, early.code, (early.value['error'] as { index: number }).index],
    [409, 'frontier_unknown', 0],
  )
  assert.is((await give([first, second])).status, 200)
  assert.is((await node.standing()).revision, 0, 'nothing is visible')
  assert.equal(
    (await give([first, second], null)).code,
    'signer_unknown',
    'without the push the second command is not vouched for',
  )
  assert.is((await node.standing()).revision, 0)
  const done = await give([third])
  assert.is((done.value['ack'] as Acknowledgement).state, 'applied')
  assert.equal((await node.standing()).frontier, frontier)
  assert.is((await give([], randomUUID())).code, 'push_not_found')
})

test('a push of a device that is revoked before its commands arrive is refused, and its commands stay hidden', async () => {
  const { node, caller } = await withCaller()
  await node.enrol(mallory, ['kbd-control:demo'])
  const root = await envelope(mallory, CREATE, [])
  const id = idOf(root)
  const push = pushFor(node, mallory) as { requestId: string }
  const opened = await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier: { heads: [id] }, commands: [] })
  assert.is((opened.value['ack'] as Acknowledgement).state, 'received')
  await node.kernel.capability('ReceiptStore').write((ledger) => ledger.revoke(mallory.keyId, Date.now(), null))
  const given = await caller.ask('POST', '/api/v2/peer/commands', {
    project: 'demo',
    pushId: push.requestId,
    commands: [root],
  })
  const ack = given.value['ack'] as Acknowledgement
  assert.equal([ack.state, ack.failure?.code], ['rejected', 'signer_revoked'])
  assert.is((await node.standing()).revision, 0)
  const receipt = (await node.send({ path: `/api/v2/sync/pushes/${push.requestId}` })).json() as unknown as PushReceipt
  assert.is(receipt.localState, 'failed')
})

test('false acknowledgements and acknowledgements of other nodes are ignored and recorded', async () => {
  const { node, caller } = await withCaller()
  await node.act(alice, CREATE)
  const { pushId, canonicalPayloadHash } = await node.pushTo(alice, [caller])
  const acknowledge = async (over: Partial<Acknowledgement>, key = caller.key): Promise<void> => {
    const statement = {
      context: 'svc-peer-ack-1',
      pushId,
      endpointId: caller.id,
      canonicalPayloadHash,
      state: 'applied',
      failure: null,
      appliedFrontier: (await node.standing()).frontier,
      auditHead: '0'.repeat(64),
      ...over,
    }
    const { default: canonicalize } = await import('canonicalize')
    const signature = Buffer.from(key.sign(Buffer.from(canonicalize(statement)!))).toString('base64')
    const answer = await caller.ask('POST', '/api/v2/peer/acks', { acks: [{ ...statement, signature }] })
    assert.is(answer.status, 204, answer.text)
  }
  const other = openEndpointKey(createFolder())
  await acknowledge({ endpointId: other.endpointId }, other)
  await acknowledge({}, other)
  await acknowledge({ canonicalPayloadHash: 'a'.repeat(64) })
  await acknowledge({ appliedFrontier: { heads: [] } })
  await acknowledge({ appliedFrontier: null })
  assert.equal((await node.receipt(pushId)).perPeer, {})
  const peerEntries = await entries(node, 'peer')
  assert.ok(
    peerEntries.some(({ outcome, actor }) => outcome === 'false_acknowledgement' && actor === `ed25519:${caller.id}`),
  )

  await acknowledge({})
  assert.is((await node.receipt(pushId)).perPeer[caller.id]!.state, 'applied')
  await acknowledge({
    state: 'rejected',
    failure: { code: 'x', message: 'x', retryable: false },
    appliedFrontier: null,
  })
  assert.is(
    (await node.receipt(pushId)).perPeer[caller.id]!.state,
    'applied',
    'the first final acknowledgement is kept',
  )
  assert.ok((await entries(node, 'peer')).some(({ outcome }) => outcome === 'acknowledgement_contradicted'))
  assert.equal((await node.send({ path: '/api/v1/audit/verify' })).json()['ok'], true)
})

test('removing an entry ends the connections of the peer, also in the middle of a body', async () => {
  const { node, caller } = await withCaller()
  const socket = await caller.open()
  const body = JSON.stringify({ acks: [] })
  const head = `POST /api/v2/peer/acks HTTP/1.1\r\nhost: peer\r\nsvc-peer-version: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 3))
  await new Promise((done) => setTimeout(done, 100))
  await node.registry.remove(caller.id)
  socket.write(body.slice(3))
  assert.is(await isClosed(socket), true)
})

test('the fifth connection of a peer is closed', async () => {
  const { caller } = await withCaller()
  const four: TLSSocket[] = []
  for (let i = 0; i < 4; i++) four.push(await caller.open())
  await caller.open().then(
    async (fifth) => assert.is(await isClosed(fifth), true),
    () => undefined,
  )
  assert.ok(four.every((socket) => !socket.destroyed))
  for (const socket of four) socket.destroy()
})

test('a connection whose body or handshake does not continue is closed', async () => {
  const { node, caller } = await withCaller({ 'peer.request_timeout_ms': 300, 'peer.handshake_timeout_ms': 2_000 })
  const socket = await caller.open()
  socket.write(
    'POST /api/v2/peer/acks HTTP/1.1\r\nhost: peer\r\nsvc-peer-version: 1\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{',
  )
  assert.is(await isClosed(socket, 20_000), true)
  const [host, port] = node.address.split(':')
  const silent = connectTcp({ host: host!, port: Number(port) })
  assert.is(await isClosed(silent as unknown as TLSSocket, 20_000), true)
})

test('a peer gets only texts that a command names, a wrong hash is refused, and unnamed texts are limited', async () => {
  const { node, caller } = await withCaller({ 'peer.unnamed_content_bytes': 4_096 })
  const text = Buffer.from('the body of a card')
  const { createHash } = await import('node:crypto')
  const nameOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  const put = (hash: string, bytes: Buffer): Promise<Answer> =>
    caller.ask('PUT', `/api/v2/peer/projects/demo/content/${hash}`, bytes, {
      'content-type': 'application/octet-stream',
    })
  const get = (hash: string): Promise<Answer> => caller.ask('GET', `/api/v2/peer/projects/demo/content/${hash}`)
  assert.equal((await put(nameOf(text), Buffer.from('another'))).code, 'content_mismatch')
  assert.equal([(await put(nameOf(text), text)).status, (await put(nameOf(text), text)).status], [201, 201])
  assert.is((await get(nameOf(text))).code, 'content_not_found', 'no command names it')
  const large = Buffer.alloc(1_000, 1)
  assert.is((await put(nameOf(large), large)).status, 429)
  const [columnId, cardId] = [randomUUID(), randomUUID()]
  await node.act(
    alice,
    CREATE,
    { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'A card', bodyHash: nameOf(text) },
  )
  assert.equal([(await get(nameOf(text))).status, (await get(nameOf(text))).text], [200, String(text)])
  assert.is((await put(nameOf(text), text)).status, 200, 'a command names it')
  assert.is((await get('A'.repeat(64))).code, 'malformed_request')
})

test('a text of another project cannot be read or detected by its hash', async () => {
  const { node, caller } = await withCaller()
  await node.enrol(mallory, ['kbd-control:demo'])
  const { createHash } = await import('node:crypto')
  const text = 'a text that was put for another project'
  const hash = createHash('sha256').update(text).digest('hex')
  const headers = { 'content-type': 'application/octet-stream' }
  const local = await node.send({ method: 'PUT', path: `/api/v1/kbd/content/${hash}`, headers, body: text })
  assert.is(local.status, 201)
  // The peer sends a card that names the hash. The node requests the text like any missing text, and does not serve it.
  const [columnId, cardId] = [randomUUID(), randomUUID()]
  const commands: CommandEnvelope[] = []
  for (const command of [
    CREATE,
    { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'A card', bodyHash: hash },
  ] as const)
    commands.push(await envelope(mallory, command, commands.slice(-1).map(idOf)))
  const given = await caller.ask('POST', '/api/v2/peer/commands', { project: 'demo', pushId: null, commands })
  assert.is(given.status, 200, given.text)
  const path = `/api/v2/peer/projects/demo/content/${hash}`
  assert.is((await caller.ask('GET', path)).code, 'content_not_found')
  const unknown = path.replace(hash, 'a'.repeat(64))
  for (const one of [path, unknown])
    assert.is((await caller.ask('PUT', one, Buffer.from('not the text'), headers)).code, 'content_mismatch')
  assert.equal(
    [(await caller.ask('PUT', path, Buffer.from(text), headers)).status, (await caller.ask('GET', path)).text],
    [201, text],
  )
})

test.run()
