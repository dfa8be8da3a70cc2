/** Pulling from a peer: on request, periodically, and from a peer whose answers never end. */
import { createHash, randomUUID, sign } from 'node:crypto'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandEnvelope, Project } from '../../../plugins/kbd/api.ts'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createFolder, createSigner } from '../../unit/sync/platforms.ts'
import type { Reply } from '../sync/daemon.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { type Node, postJson, startNode } from './nodes.ts'

test.after.each(stopDaemons)

const alice = createSigner()
const key = { ...alice, sign: (message: Uint8Array) => sign(null, message, alice.privateKey) }
const boardId = randomUUID()
const SCOPES = ['kbd-control:demo', 'kbd-content:demo']

const pull = (node: Node, id: string): Promise<Reply> => postJson(node, `/api/v1/peers/${id}/pull`, { project: 'demo' })

/** Stores a text on a node, and returns its hash. */
async function putText(node: Node, text: string): Promise<string> {
  const hash = createHash('sha256').update(text).digest('hex')
  const headers = { 'content-type': 'application/octet-stream' }
  const reply = await node.send({ method: 'PUT', path: `/api/v1/kbd/content/${hash}`, headers, body: text })
  assert.is(reply.status, 201, reply.text)
  return hash
}

async function untilEqual(one: Node, other: Node): Promise<void> {
  let standings: readonly unknown[] = []
  await waitFor('both nodes have the same', async () => {
    standings = [await one.standing(), await other.standing()]
    return JSON.stringify(standings[0]) === JSON.stringify(standings[1])
  }).catch(() => assert.equal(standings[0], standings[1]))
}

test('a node without an address pulls commands and texts on request, and then periodically', async () => {
  const one = await startNode()
  const two = await startNode({ given: { 'peer.listen': null, 'peer.pull_interval_ms': 50 } })
  for (const node of [one, two]) await node.enrol(alice, SCOPES)
  const [columnId, cardId] = [randomUUID(), randomUUID()]
  const bodyHash = await putText(one, 'what is to be done')
  await one.act(
    alice,
    { type: 'board.create', boardId, title: 'Release' },
    { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'A card', bodyHash },
  )
  assert.is((await pull(two, one.id)).json().error?.code, 'peer_not_found')
  await one.enter(two)
  await two.registry.put({ endpointId: one.id, addresses: [one.address], label: 'one', projects: [] })
  // A pull on request needs no project in the entry of the pulling node, because the node gives no data away.
  const first = await pull(two, one.id)
  assert.is(first.status, 200, first.text)
  const { commands, content } = first.json() as unknown as { commands: number; content: number }
  assert.equal([commands, content], [3, 1])
  assert.equal(await two.standing(), await one.standing())
  assert.is((await two.send({ path: `/api/v1/kbd/content/${bodyHash}` })).text, 'what is to be done')
  assert.equal((await pull(two, one.id)).json()['commands'], 0)

  await two.enter(one)
  await one.act(alice, { type: 'board.update', boardId, title: 'Release 2' })
  await untilEqual(two, one)
})

test('a pull from a peer that repeats the same page for ever ends after the first repetition', async () => {
  const node = await startNode()
  await node.enrol(alice, SCOPES)
  const root: CommandEnvelope = await signCommand(key, {
    project: 'demo',
    command: { type: 'board.create', boardId, title: 'Release' },
    parents: [],
  })
  const liar = openEndpointKey(createFolder())
  let requests = 0
  const http = createHttp((_request, answer) => {
    requests++
    answer.writeHead(200, { 'content-type': 'application/json', 'svc-peer-version': '1' })
    answer.end(JSON.stringify({ commands: [root], frontier: { heads: [] }, more: true }))
  })
  const server = createServer({ ...toHandshake(liar), requestCert: true }, (socket) => http.emit('connection', socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await node.registry.put({ endpointId: liar.endpointId, addresses: [address], label: null, projects: ['demo'] })
  const pulled = await pull(node, liar.endpointId)
  const { error } = pulled.json() as unknown as { error: { code: string; peerCode: string } }
  assert.equal([pulled.status, error.code, error.peerCode], [502, 'peer_delivery_failed', 'bad_answer'])
  assert.is(requests, 2)
  const project = (await node.send({ path: '/api/v1/kbd/projects/demo' })).json() as unknown as Project
  assert.is(project.revision, 1, 'the valid command is kept')
  await node.stop()
  http.closeAllConnections()
  await new Promise((done) => server.close(done))
})

test.run()
