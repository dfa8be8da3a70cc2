/**
 * Final acknowledgements that have not been requested: the node sends them to the peer that handed in the push, if the
 * peer has an address.
 */
import { createHash, randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin } from '../../../core/declare/plugin.ts'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { verifyAcknowledgement } from '../../../plugins/protocol/sign/index.ts'
import type { Acknowledgement } from '../../../plugins/sync/api.ts'
import { waitFor } from '../../support/wait-for.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { alice, boardId, type Caller, CREATE, entries, envelope, idOf, pushFor, withCaller } from './caller.ts'
import { type Node, postJson, startNode } from './nodes.ts'

test.after.each(stopDaemons)

const SCOPES = ['kbd-control:demo', 'kbd-content:demo']
const applied = (peer: Node) => (receipt: { perPeer: Record<string, { state: string }> }) =>
  receipt.perPeer[peer.id]?.state === 'applied'
const pull = async (node: Node, from: Node): Promise<void> => {
  const reply = await postJson(node, `/api/v1/peers/${from.id}/pull`, { project: 'demo' })
  assert.is(reply.status, 200, reply.text)
}

/** Gives a caller an address for a node, and returns the acknowledgements that the caller receives. */
async function listen(caller: Caller, node: Node): Promise<{ received: Acknowledgement[]; stop: () => Promise<void> }> {
  const received: Acknowledgement[] = []
  const http = createHttp(async (request, reply) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string
    assert.equal([request.method, request.url], ['POST', '/api/v2/peer/acks'])
    received.push(...(JSON.parse(text) as { acks: Acknowledgement[] }).acks)
    reply.writeHead(204, { 'svc-peer-version': '1' }).end()
  })
  const server = createServer({ ...toHandshake(caller.key), requestCert: true }, (socket) =>
    http.emit('connection', socket),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await node.registry.put({ endpointId: caller.id, addresses: [address], label: null, projects: ['demo'] })
  return {
    received,
    async stop() {
      http.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

test('a push waits for a text that its sender lacks; when a pull from another node brings the text, the sender is notified at once', async () => {
  // No retry happens within the test, so an acknowledgement that arrives was sent by the peer.
  const one = await startNode({ given: { 'sync.retry_first_ms': 300_000, 'sync.retry_max_ms': 300_000 } })
  const [two, three] = [await startNode(), await startNode()]
  const nodes = [one, two, three]
  for (const node of nodes) {
    await node.enrol(alice, SCOPES)
    for (const other of nodes) if (other !== node) await node.enter(other)
  }
  const text = 'what only the third one has'
  const bodyHash = createHash('sha256').update(text).digest('hex')
  const [columnId, cardId] = [randomUUID(), randomUUID()]
  await one.act(
    alice,
    CREATE,
    { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'A card', bodyHash },
  )
  await pull(three, one)
  const kept = await three.send({
    method: 'PUT',
    path: `/api/v1/kbd/content/${bodyHash}?project=demo`,
    headers: { 'content-type': 'application/octet-stream' },
    body: text,
  })
  assert.is(kept.status, 201, kept.text)
  const { pushId } = await one.pushTo(alice, [two], { domain: 'kbd-content:demo' })
  const waits = await one.until(pushId, ({ events }) =>
    events.some(({ failure }) => failure?.code === 'content_missing'),
  )
  assert.is(waits.perPeer[two.id]!.state, 'received')

  await pull(two, three)
  const receipt = await one.until(pushId, applied(two))
  assert.is(receipt.perPeer[two.id]!.appliedFrontier, null)
  assert.ok((await entries(one, 'peer')).some(({ outcome, subject }) => outcome === 'ok' && subject === pushId))
})

test('if one push brings the commands for which another waits, the final acknowledgement of both is sent', async () => {
  const { node, caller } = await withCaller()
  const { received, stop } = await listen(caller, node)
  const root = await envelope(alice, CREATE, [])
  const frontier = { heads: [idOf(root)] }
  const waiting = pushFor(node, alice) as { requestId: string }
  const opened = await caller.ask('POST', '/api/v2/peer/pushes', { push: waiting, frontier, commands: [] })
  assert.is((opened.value['ack'] as Acknowledgement).state, 'received')
  const whole = await caller.ask('POST', '/api/v2/peer/pushes', {
    push: pushFor(node, alice),
    frontier,
    commands: [root],
  })
  assert.is((whole.value['ack'] as Acknowledgement).state, 'applied')
  await waitFor('a request', () => received.length > 0)
  assert.equal([received[0]!.pushId, received[0]!.state], [waiting.requestId, 'applied'])
  assert.is(await verifyAcknowledgement(received[0]!), true)
  await node.stop()
  await stop()
})

test('a sender that has disconnected before the answer gets its acknowledgement later', async () => {
  const gate: (() => void)[] = []
  const slow = definePlugin({
    name: 'test.slow',
    feature: 'test.slow',
    requires: ['ReceiptStore'],
    setup(ctx) {
      // The transaction of the push waits until its sender has disconnected.
      const store = ctx.use('ReceiptStore') as { write: (work: never) => Promise<unknown> }
      const write = store.write.bind(store)
      store.write = async (work: never) => {
        if (holding) await new Promise<void>((done) => gate.push(done))
        return write(work)
      }
    },
  })
  let holding = false
  const { node, caller } = await withCaller({}, [slow])
  const { received, stop } = await listen(caller, node)
  const push = pushFor(node, alice) as { requestId: string }
  const body = JSON.stringify({ push, frontier: null, commands: [] })
  const socket = await caller.open()
  socket.on('error', () => undefined).resume()
  let isGone = false
  const onRequest = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (request.url === '/api/v2/peer/pushes') response.once('close', () => void (isGone = true))
  }
  subscribe('http.server.request.start', onRequest)
  holding = true
  socket.write(
    `POST /api/v2/peer/pushes HTTP/1.1\r\nhost: peer\r\nsvc-peer-version: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await waitFor('a delivery', () => gate.length > 0)
  unsubscribe('http.server.request.start', onRequest)
  assert.is(isGone, false)
  socket.destroy()
  await waitFor('the end', () => isGone)
  holding = false
  for (const open of gate) open()
  await waitFor('a request', () => received.length > 0)
  assert.equal([received[0]!.pushId, received[0]!.state], [push.requestId, 'applied'])
  await node.stop()
  await stop()
})

test.run()
