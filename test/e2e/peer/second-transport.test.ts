/**
 * A second transport between nodes besides TLS. The transport needs to provide only connections; the surface, its guard
 * and its routes exist.
 */
import { type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import type { Exchange, PeerAnswer, PeerConnection } from '../../../plugins/peer/api.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import type { Connection, Incoming, Listener } from '../../../plugins/transport/node-http/api.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { alice, boardId, CREATE } from './caller.ts'
import { type Node, postJson, startNode } from './nodes.ts'

test.after.each(stopDaemons)

/**
 * The nodes that can be reached by this transport. A real transport proves the key of the caller; this one trusts the
 * caller.
 */
type Net = Map<string, (stream: Duplex, from: string) => void>

/** Both ends of a connection. If one end closes, the other end closes too. */
function connection(): [Duplex, Duplex] {
  const ends = duplexPair()
  for (const [one, other] of [ends, ends.toReversed()] as [Duplex, Duplex][]) one.once('close', () => other.destroy())
  return ends
}

/** Sends a request on a new stream. */
function send(stream: Duplex, { method, path, headers, body }: Exchange): Promise<PeerAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const given = { method, path, headers: { host: 'peer', ...headers, ...length }, createConnection: () => stream }
    const outgoing = request(given as unknown as ClientRequestArgs, async (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
      const fields = answer.headers as PeerAnswer['headers']
      resolve({ status: answer.statusCode!, headers: fields, body: Buffer.concat(chunks) })
    })
    outgoing.once('error', (error) => reject(Object.assign(error, { code: 'unreachable' as const })))
    outgoing.end(body)
  })
}

/** A transport with streams in this process. */
function streams(net: Net): Plugin {
  return definePlugin({
    name: 'test.streams',
    feature: 'test.streams',
    requires: ['Peers', 'SyncShared', 'HttpServer'],
    setup(ctx) {
      const [peers, shared, http] = [ctx.use('Peers'), ctx.use('SyncShared'), ctx.use('HttpServer')]
      const own = (): string => shared.ownKey().endpointId
      peers.addLink({
        name: 'streams',
        reaches: ({ endpointId }) => net.has(endpointId),
        exchange({ endpointId }, exchange) {
          const [here, there] = connection()
          net.get(endpointId)!(there, own())
          return send(here, exchange)
        },
      })
      const incoming: Incoming = {
        async open(serve) {
          net.set(own(), (stream, endpointId) => {
            let bytesRead = 0
            const caller: PeerConnection = {
              transport: 'peer',
              address: 'streams',
              endpointId,
              get bytesRead() {
                return bytesRead
              },
              destroy: () => void stream.destroy(),
            }
            stream.on('error', () => undefined).once('close', () => peers.left(caller))
            void peers.admit(caller).then((admitted) => {
              if (!admitted) return void stream.destroy()
              serve(stream as unknown as Connection, caller)
              stream.on('data', (chunk: Buffer) => (bytesRead += chunk.length))
            })
          })
          return { text: 'streams', port: 0 }
        },
        close: async () => void net.delete(own()),
      }
      let listener: Listener | undefined
      ctx.onReady(async () => {
        listener = await http.serve(ctx.surface('peer'), { address: { incoming }, limits: peers.limits })
      })
      ctx.onDrain(() => listener?.drain())
      ctx.onStop(() => listener?.close())
    },
  })
}

const applied = (peer: Node) => (receipt: PushReceipt) => receipt.perPeer[peer.id]?.state === 'applied'

test('nodes without an address reach each other by a second transport, and other nodes by TLS', async () => {
  const net: Net = new Map()
  const [one, two] = [
    await startNode({}, [streams(net)]),
    await startNode({ given: { 'peer.listen': null } }, [streams(net)]),
  ]
  const three = await startNode()
  const nodes = [one, two, three]
  for (const node of nodes) {
    await node.enrol(alice, ['kbd-control:demo'])
    for (const other of nodes) if (other !== node) await node.enter(other)
  }
  assert.is(two.address, '')
  await one.act(alice, CREATE)
  const { pushId } = await one.pushTo(alice, [two, three])
  for (const other of [two, three]) await one.until(pushId, applied(other))
  for (const other of [two, three]) assert.equal(await other.standing(), await one.standing())
  const ways = new Map((await one.peers()).map(({ endpointId, transport, state }) => [endpointId, [transport, state]]))
  assert.equal(ways.get(two.id), ['streams', 'connected'])
  assert.equal(ways.get(three.id), ['tls', 'connected'])

  await two.act(alice, { type: 'board.update', boardId, title: 'Release 2' })
  const pulled = await postJson(one, `/api/v1/peers/${two.id}/pull`, { project: 'demo' })
  assert.equal([pulled.status, pulled.json()['commands']], [200, 1])
})

test('with a second transport the guard still refuses strangers, routes that are not for peers, and removed peers', async () => {
  const net: Net = new Map()
  const [one, two] = [await startNode({}, [streams(net)]), await startNode({}, [streams(net)])]
  await one.enrol(alice, ['kbd-control:demo'])
  const ask = (path: string): Promise<PeerAnswer> => {
    const [here, there] = connection()
    net.get(one.id)!(there, two.id)
    return send(here, { method: 'GET', path, headers: { 'svc-peer-version': '1' } })
  }
  const frontier = '/api/v2/peer/projects/demo/frontier'
  const refused = await ask(frontier).catch((error: { code: string }) => error.code)
  assert.is(refused, 'unreachable', 'closed without a byte')
  await one.enter(two)
  assert.is((await ask(frontier)).status, 200)
  assert.is((await ask('/api/v1/status')).status, 403)
  await one.registry.remove(two.id)
  assert.is(await ask(frontier).catch((error: { code: string }) => error.code), 'unreachable')
})

test.run()
