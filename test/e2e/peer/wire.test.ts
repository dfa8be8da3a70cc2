/** The connection between peers: its limits on both sides, its version, and invalid answers. */
import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, connect as connectTcp, createServer as createTcp } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import { until } from '../../../scripts/until.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { alice, type Caller, isClosed, withCaller } from './caller.ts'
import { postJson, startNode } from './nodes.ts'

test.after.each(stopDaemons)

const FRONTIER = '/api/v2/peer/projects/demo/frontier'
const heads = (...more: readonly string[]): string => `${['host: peer', ...more].join('\r\n')}\r\n\r\n`

/** Writes raw bytes, and returns the first received chunk. */
async function firstChunk(caller: Caller, bytes: string): Promise<string> {
  const socket = await caller.open()
  const first = new Promise<string>((done) => socket.once('data', (chunk: Buffer) => done(String(chunk))))
  socket.write(bytes)
  const text = await first
  socket.destroy()
  return text
}

test('every answer has the version, and a request without the version or with another version gets 426', async () => {
  const { caller } = await withCaller()
  for (const [path, status] of [
    [FRONTIER, 200],
    ['/api/v2/peer/nothing', 404],
    ['/api/v1/status', 403],
  ] as const) {
    const text = await firstChunk(caller, `GET ${path} HTTP/1.1\r\n${heads('svc-peer-version: 1')}`)
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(text, /^svc-peer-version: 1\r$/im, path)
  }
  for (const more of [[], ['svc-peer-version: 2'], ['svc-peer-version: 1.0']]) {
    const text = await firstChunk(caller, `GET ${FRONTIER} HTTP/1.1\r\n${heads(...more)}`)
    assert.match(text, /^HTTP\/1\.1 426 /)
    assert.match(text, /^upgrade: svc-peer\/1\r$/im)
    assert.match(text, /^svc-peer-version: 1\r$/im)
  }
})

test('concurrent requests above the limit get 429 before their bodies are read, and later requests succeed', async () => {
  const { caller } = await withCaller({ 'peer.max_exchanges': 2 })
  const sockets: TLSSocket[] = []
  // The answers by the number of the request, in the order in which they arrive.
  const answers = new Map<number, string>()
  const body = '{"acks":[]}'
  const head = `POST /api/v2/peer/acks HTTP/1.1\r\n${heads('svc-peer-version: 1', 'content-type: application/json', `content-length: ${body.length}`)}`
  const answered = (count: number): Promise<number> =>
    until(`${count} answers`, async () => answers.size >= count, 60_000)
  for (let n = 0; n < 3; n++) {
    const socket = await caller.open()
    socket.on('error', () => undefined).once('data', (chunk: Buffer) => void answers.set(n, String(chunk)))
    socket.write(head + body.slice(0, 3))
    sockets.push(socket)
  }
  // Two of the three wait for their bodies.
  await answered(1)
  const [[refused, refusal]] = [...answers] as [[number, string]]
  assert.match(refusal, /^HTTP\/1\.1 429 /)
  assert.match(refusal, /^retry-after: [1-9]/im)
  for (const [n, socket] of sockets.entries()) if (n !== refused) socket.write(body.slice(3))
  await answered(3)
  for (const [n, answer] of answers) if (n !== refused) assert.match(answer, /^HTTP\/1\.1 204 /)
  assert.match(await firstChunk(caller, head + body), /^HTTP\/1\.1 204 /)
  for (const socket of sockets) socket.destroy()
})

test('idle connections, connections with an incomplete head, and handshakes above the limit are closed', async () => {
  const { node, caller } = await withCaller({
    'peer.idle_timeout_ms': 300,
    'peer.request_timeout_ms': 400,
    'peer.max_handshakes': 2,
    'peer.handshake_timeout_ms': 60_000,
  })
  const idle = await caller.open()
  idle.write(`GET ${FRONTIER} HTTP/1.1\r\n${heads('svc-peer-version: 1')}`)
  assert.is(await isClosed(idle, 20_000), true, 'idle')
  const half = await caller.open()
  half.write(`GET ${FRONTIER} HTTP/1.1\r\nhost: pe`)
  assert.is(await isClosed(half, 20_000), true, 'half a head')

  const [host, port] = node.address.split(':')
  const silent = await Promise.all(
    [0, 1].map(
      () =>
        new Promise<ReturnType<typeof connectTcp>>((done) => {
          const socket = connectTcp({ host: host!, port: Number(port) }, () => done(socket))
          socket.on('error', () => undefined)
        }),
    ),
  )
  const isRefused = (): Promise<boolean> =>
    caller.open().then(
      (socket) => {
        socket.destroy()
        return false
      },
      () => true,
    )
  await until('a refused handshake', isRefused, 60_000)
  for (const socket of silent) socket.destroy()
  await until('room for a handshake', async () => !(await isRefused()), 60_000)
  assert.is((await caller.ask('GET', FRONTIER)).status, 200)
})

test('an answer that is too large, encoded, a redirect or incomplete is an error, and redirects are not followed', async () => {
  const node = await startNode()
  await node.enrol(alice, ['kbd-control:demo'])
  const key = openEndpointKey(createFolder())
  const version = { 'svc-peer-version': '1' }
  let answer: RequestListener = () => undefined
  const asked: string[] = []
  const http = createHttp((request, reply) => {
    asked.push(request.url!)
    answer(request, reply)
  })
  const server = createServer({ ...toHandshake(key), requestCert: true }, (socket) => {
    socket.on('error', () => undefined)
    http.emit('connection', socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const addresses = [`127.0.0.1:${(server.address() as AddressInfo).port}`]
  await node.registry.put({ endpointId: key.endpointId, addresses, label: 'liar', projects: ['demo'] })
  const page = '{"commands":[],"frontier":{"heads":[]},"more":false'
  for (const [name, code, listener] of [
    ['too large', 'bad_answer', (_, reply) => void reply.writeHead(200, version).end(`${page}}`.padEnd(1_048_577))],
    [
      'coded',
      'bad_answer',
      (_, reply) => void reply.writeHead(200, { ...version, 'content-encoding': 'br' }).end(page),
    ],
    ['elsewhere', 'bad_answer', (_, reply) => void reply.writeHead(307, { ...version, location: '/elsewhere' }).end()],
    ['no JSON', 'bad_answer', (_, reply) => void reply.writeHead(200, version).end('<html>')],
    ['without a version', 'version', (_, reply) => void reply.writeHead(200).end(`${page}}`)],
    [
      'broken off',
      'unreachable',
      (_, reply) => {
        reply.writeHead(200, { ...version, 'content-length': '1000' }).write(page)
        setTimeout(() => reply.destroy(), 50)
      },
    ],
  ] as readonly [string, string, RequestListener][]) {
    answer = listener
    const pulled = await postJson(node, '/api/v1/peers/liar/pull', { project: 'demo' })
    const { peerCode } = pulled.json().error as unknown as { readonly peerCode: string }
    assert.equal([pulled.status, peerCode], [502, code], name)
    assert.is((await node.peers())[0]!.lastFailure!.code, code, name)
  }
  // Unknown members are ignored.
  answer = (_, reply) => void reply.writeHead(200, version).end(`${page},"later":[1]}`)
  const pulled = await postJson(node, '/api/v1/peers/liar/pull', { project: 'demo' })
  assert.is(pulled.status, 200, pulled.text)
  assert.not(asked.includes('/elsewhere'))
  http.closeAllConnections()
  await new Promise((done) => server.close(done))
})

test('addresses are tried in order, and the next one only if the request cannot have arrived', async () => {
  const [one, two] = [await startNode({ given: { 'peer.request_timeout_ms': 2_500 } }), await startNode()]
  for (const node of [one, two]) await node.enrol(alice, ['kbd-control:demo'])
  await two.enter(one)
  const key = two.kernel.capability('SyncShared').ownKey()
  let requests = 0
  const server = createServer({ ...toHandshake(key), requestCert: true }, (socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        requests++
        // Later than the disconnection of a stranger.
        setTimeout(() => socket.destroy(), 1_200)
      })
  })
  const closed = createServer()
  const silent = createTcp((socket) => void socket.on('error', () => undefined).resume())
  for (const one of [server, closed, silent]) await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
  const [breaks, nobody, hangs] = [server, closed, silent].map(
    (one) => `127.0.0.1:${(one.address() as AddressInfo).port}`,
  ) as [string, string, string]
  await new Promise((done) => closed.close(done))
  const pull = async (...addresses: readonly string[]): Promise<unknown> => {
    await one.registry.put({ endpointId: two.id, addresses, label: null, projects: ['demo'] })
    const reply = await postJson(one, `/api/v1/peers/${two.id}/pull`, { project: 'demo' })
    return (reply.json().error as { readonly peerCode?: string } | undefined)?.peerCode ?? reply.status
  }
  assert.is(await pull(nobody, two.address), 200)
  assert.is(await pull(hangs, two.address), 200, 'no handshake, no request')
  assert.is(await pull(breaks, two.address), 'unreachable')
  assert.is(requests, 1)
  for (const one of [server, silent]) await new Promise((done) => one.close(done))
})

test.run()
