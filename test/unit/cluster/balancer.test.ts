/** The balancer of `make cluster`: which node gets a request, and which requests are never sent twice. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Balancer, startBalancer } from '../../../scripts/cluster/balancer.ts'
import { until } from '../../../scripts/until.ts'

interface Node {
  readonly server: Server
  readonly port: number
  /** The requests that it got, without probes. */
  readonly got: string[]
  ready: boolean
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function startNode(answer: Answer): Promise<Node> {
  const got: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.writeHead(node.ready ? 200 : 503).end()
    got.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: Node = { server, port: (server.address() as AddressInfo).port, got, ready: true }
  return node
}

const echo: Answer = async (request, response) => {
  let body = ''
  for await (const piece of request) body += String(piece)
  response.writeHead(201, { 'x-from': String(request.headers['x-forwarded-for']), 'set-cookie': ['a=1', 'b=2'] })
  response.end(`${request.headers['content-length'] ?? request.headers['transfer-encoding']} ${body}`)
}

/** Runs a test with nodes behind a balancer, once all nodes are ready. */
async function within(answers: readonly Answer[], run: (base: string, nodes: Node[], it: Balancer) => Promise<void>) {
  const nodes = await Promise.all(answers.map(startNode))
  const balancer = await startBalancer({ nodes: nodes.map(({ port }) => port) })
  await until('all are ready', () => balancer.ready.size === nodes.length, 20_000)
  try {
    await run(`http://127.0.0.1:${balancer.port}`, nodes, balancer)
  } finally {
    await balancer.stop()
    for (const { server } of nodes) server.closeAllConnections()
    await Promise.all(nodes.map(({ server }) => new Promise((resolve) => server.close(resolve))))
  }
}

test('each request goes to the next node, complete and with the address of the caller', () =>
  within([echo, echo, echo], async (base, nodes) => {
    for (let n = 0; n < 6; n++) {
      const answer = await fetch(`${base}/x?y=${n}`, {
        method: 'POST',
        body: 'abc',
        headers: { 'x-forwarded-for': '9.9.9.9' },
      })
      assert.is(answer.status, 201)
      assert.is(await answer.text(), '3 abc')
      assert.is(answer.headers.get('x-from'), '9.9.9.9, 127.0.0.1')
      assert.equal(answer.headers.getSetCookie(), ['a=1', 'b=2'])
    }
    assert.equal(
      nodes.map(({ got }) => got.length),
      [2, 2, 2],
    )
    assert.is(await (await fetch(base, { method: 'POST' })).text(), '0 ')
    const streamed = new Blob(['de', 'f']).stream()
    const chunked = await fetch(base, { method: 'POST', body: streamed, duplex: 'half' } as RequestInit)
    assert.is(await chunked.text(), 'chunked def')
  }))

test('a node that is not ready or gone gets no request; without any node the answer is 502', () =>
  within([echo, echo], async (base, [first, second], balancer) => {
    first!.ready = false
    await until('it is not ready', () => !balancer.ready.has(first!.port), 20_000)
    for (let n = 0; n < 4; n++) assert.is((await fetch(base)).status, 201)
    assert.equal([first!.got.length, second!.got.length], [0, 4])
    second!.server.closeAllConnections()
    await new Promise((resolve) => second!.server.close(resolve))
    // The first node is not ready and the second is gone. A body that was not sent yet goes to the next node, ready or
    // not.
    await until('it is gone', () => !balancer.ready.has(second!.port), 20_000)
    assert.is((await fetch(base, { method: 'POST', body: 'x' })).status, 201)
    first!.server.closeAllConnections()
    await new Promise((resolve) => first!.server.close(resolve))
    assert.is((await fetch(base, { method: 'POST', body: 'x' })).status, 502)
  }))

test('after a node breaks off, a GET goes to the next node, a POST is not repeated, and half an answer is an error', () => {
  const breaks: Answer = (request, response) => {
    if (request.url === '/half') {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('half')
      setTimeout(() => response.destroy(), 20)
    } else request.socket.destroy()
  }
  return within([breaks, breaks], async (base, nodes) => {
    const all = (): string[] => nodes.flatMap(({ got }) => got)
    assert.is((await fetch(`${base}/a`)).status, 502)
    assert.equal(all().filter((one) => one === 'GET /a').length, 2)
    assert.is((await fetch(`${base}/b`, { method: 'POST', body: 'x' })).status, 502)
    assert.is((await fetch(`${base}/b`, { method: 'DELETE' })).status, 502)
    assert.equal(all().filter((one) => one.endsWith(' /b')).length, 2)
    const half = await fetch(`${base}/half`)
    assert.is(
      await half.text().then(
        () => 'whole',
        () => 'torn',
      ),
      'torn',
    )
  })
})

test.run()
