/** `svc/node` with node:http and node:http2, and handlers that return the request that they got. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { Agent, createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { createServer as createTlsServer, request as tlsRequest } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toCertificate, toPem } from '../../../plugins/peer/tls/certificate.ts'
import { type FetchRuntime, toNodeHandler } from '../../../plugins/transport/to-node-handler.ts'

/** Serves a handler on a free port until `work` ends. */
async function serving(fetch: FetchRuntime['fetch'], work: (port: number) => Promise<void>): Promise<void> {
  const server: Server = createServer(toNodeHandler({ fetch }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Sends raw bytes, and returns everything that is received until the connection ends. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
    socket.once('error', reject).once('close', () => resolve(text))
  })
}

test('the handler gets the method, the whole URL, headers, body and the address of the client', async () => {
  const fetch: FetchRuntime['fetch'] = async (request, from) =>
    Response.json({
      method: request.method,
      url: request.url,
      twice: request.headers.get('x-twice'),
      body: await request.text(),
      from,
    })
  await serving(fetch, async (port) => {
    const text = await exchange(
      port,
      'POST //a/b?c=%20 HTTP/1.1\r\nHost: svc.example\r\nX-Twice: 1\r\nx-twice: 2\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello',
    )
    assert.equal(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)), {
      method: 'POST',
      url: 'http://svc.example//a/b?c=%20',
      twice: '1, 2',
      body: 'hello',
      from: { address: '127.0.0.1' },
    })
  })
})

test('each cookie is a separate header field, and HEAD returns only the head', async () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2; Expires=Wed, 21 Oct 2015 07:28:00 GMT'],
    ['x-other', 'yes'],
  ])
  await serving(
    async () => new Response('text', { headers }),
    async (port) => {
      const got = await fetch(`http://127.0.0.1:${port}/`)
      assert.equal(got.headers.getSetCookie(), ['a=1', 'b=2; Expires=Wed, 21 Oct 2015 07:28:00 GMT'])
      assert.is(await got.text(), 'text')
      const head = await exchange(port, 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/)
      assert.ok(head.endsWith('\r\n\r\n'))
    },
  )
})

test('a message that cannot become a Request gets 400, and the next request is answered', async () => {
  await serving(
    async () => new Response('well'),
    async (port) => {
      for (const broken of ['GET / HTTP/1.1\r\nHost: a b\r\n', 'TRACE / HTTP/1.1\r\nHost: a\r\n'])
        assert.match(await exchange(port, `${broken}Connection: close\r\n\r\n`), /^HTTP\/1\.1 400 /, broken)
      assert.is(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'well')
    },
  )
})

test('a path that a URL would change gets 400, so that the path that the host judged is the one that is served', async () => {
  await serving(
    async (request) => new Response(request.url),
    async (port) => {
      const send = (path: string): Promise<string> =>
        exchange(port, `GET ${path} HTTP/1.1\r\nHost: svc.example\r\nConnection: close\r\n\r\n`)
      for (const path of [
        '/x/../api/svc/runs',
        '/x/%2e%2E/api',
        '/./api',
        '/api/..',
        '/x\\..\\api',
        '\\api',
        '/api#x',
        'http://svc.example/api',
        'http://other.example/x',
        '*',
      ])
        assert.match(await send(path), /^HTTP\/1\.1 400 /, path)
      for (const path of ['/', '//a', '/a//b/', '/a/b?c=../d\\e', "/a?q='", '/..a/%20/b..', '/a%2Fb', '/a;b=c'])
        assert.match(await send(path), /^HTTP\/1\.1 200 /, path)
    },
  )
})

test('a head that the host has sent already ends nothing but the request', async () => {
  let calls = 0
  const handler = toNodeHandler({
    async fetch() {
      calls++
      return new Response('late')
    },
  })
  const handled: Promise<void>[] = []
  const server: Server = createServer((incoming, outgoing) => {
    if (incoming.url === '/whole') outgoing.writeHead(503).end('busy')
    else outgoing.writeHead(503).write('begun')
    if (incoming.method === 'GET') handled.push(handler(incoming, outgoing))
    else incoming.once('end', () => handled.push(handler(incoming, outgoing))).resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const method of ['GET', 'POST']) {
    const head = 'HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
    assert.match(await exchange(port, `${method} /whole ${head}`), /503[\s\S]*busy/)
    assert.not.match(await exchange(port, `${method} /begun ${head}`), /late|\r\n0\r\n/)
  }
  await Promise.all(handled)
  assert.equal([handled.length, calls], [4, 0])
  await new Promise((resolve) => server.close(resolve))
})

test('a Host header with more than a host gets 400 and does not change the path', async () => {
  await serving(
    async (request) => new Response(request.url),
    async (port) => {
      const send = (host: string): Promise<string> =>
        exchange(port, `GET /public HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      for (const host of [
        'x/admin/secret?',
        'x/admin#',
        'x\\admin?',
        'u:p@x',
        'x?',
        'x:1/',
        '[::1',
        'x%2fadmin',
        'x:port',
        '',
      ])
        assert.match(await send(host), /^HTTP\/1\.1 400 /, host)
      for (const host of ['svc.example', 'svc_1.example:8080', '127.0.0.1:1', '[::1]:8080', '[2001:db8::1]'])
        assert.ok((await send(host)).includes(`http://${host}/public`), host)
    },
  )
})

test('a connection continues after a body that the runtime did not read or read in part', async () => {
  const seen: string[] = []
  const fetch: FetchRuntime['fetch'] = async (request) => {
    seen.push(new URL(request.url).pathname)
    if (request.url.includes('/part')) await request.body!.getReader().read()
    if (request.url.endsWith('throws')) throw new Error('inside')
    return new Response('no', { status: 413 })
  }
  await serving(fetch, async (port) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    for (const path of ['/none', '/part', '/throws', '/part-throws', '/last']) {
      const status = await new Promise((resolve, reject) => {
        const sent = httpRequest({ port, host: '127.0.0.1', path, method: 'POST', agent }, (reply) => {
          reply.resume().once('end', () => resolve(reply.statusCode))
        })
        sent.once('socket', (socket) => sockets.add(socket)).once('error', reject)
        sent.end(Buffer.alloc(3_000_000))
      })
      assert.is(status, path.endsWith('throws') ? 500 : 413, path)
    }
    assert.is(sockets.size, 1, 'one connection for all')
    agent.destroy()
  })
  assert.equal(seen, ['/none', '/part', '/throws', '/part-throws', '/last'])
})

test('a client that disconnects aborts the signal and cancels the stream, and nothing is printed', async () => {
  let cancelled!: () => void
  const over = new Promise<void>((resolve) => (cancelled = resolve))
  let signal: AbortSignal | undefined
  const printed: unknown[] = []
  const { error, info, log } = console
  Object.assign(console, {
    error: printed.push.bind(printed),
    info: printed.push.bind(printed),
    log: printed.push.bind(printed),
  })
  try {
    const fetchRuntime: FetchRuntime['fetch'] = async (request) => {
      signal = request.signal
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
          cancel: () => cancelled(),
        }),
      )
    }
    await serving(fetchRuntime, async (port) => {
      const gone = new AbortController()
      const reply = await fetch(`http://127.0.0.1:${port}/`, { signal: gone.signal })
      const { value } = await reply.body!.getReader().read()
      assert.is(new TextDecoder().decode(value), 'first')
      gone.abort()
      await over
      assert.ok(signal!.aborted)
    })
  } finally {
    Object.assign(console, { error, info, log })
  }
  assert.equal(printed, [])
})

test('a complete answer does not abort the signal', async () => {
  let signal: AbortSignal | undefined
  const fetchRuntime: FetchRuntime['fetch'] = async (request) => {
    signal = request.signal
    return new Response('all')
  }
  await serving(fetchRuntime, async (port) => {
    assert.match(await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /all/)
  })
  assert.is(signal!.aborted, false)
})

test('reading a body that breaks off rejects', async () => {
  let failed!: (error: unknown) => void
  const failure = new Promise((resolve) => (failed = resolve))
  const fetch: FetchRuntime['fetch'] = async (request) => {
    await request.text().catch(failed)
    return new Response('too late')
  }
  await serving(fetch, async (port) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy())
    })
    assert.ok((await failure) instanceof Error)
  })
})

test('a runtime that throws gives 500 without its message, and a stream that breaks ends the connection', async () => {
  const fetchRuntime: FetchRuntime['fetch'] = async (request) => {
    if (request.url.endsWith('/throws')) throw new Error('secret of the inside')
    return new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('some'))
          setTimeout(() => controller.error(new Error('secret of the inside')), 10)
        },
      }),
    )
  }
  await serving(fetchRuntime, async (port) => {
    const thrown = await fetch(`http://127.0.0.1:${port}/throws`)
    assert.is(thrown.status, 500)
    assert.not.match(await thrown.text(), 'secret')
    const broken = await exchange(port, 'GET /breaks HTTP/1.1\r\nHost: a\r\n\r\n')
    assert.match(broken, 'some')
    assert.not.match(broken, 'secret')
    assert.not.ok(broken.endsWith('0\r\n\r\n'), 'the body does not look complete')
  })
})

test('the URL of a request over TLS has the scheme https', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const id = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  const cert = toPem(toCertificate(id, (message) => sign(null, message, privateKey)))
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
  const server = createTlsServer({ cert, key }, toNodeHandler({ fetch: async ({ url }) => new Response(url) }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const text = await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/a', rejectUnauthorized: false }
      tlsRequest(options, (reply) => void reply.setEncoding('utf8').once('data', resolve))
        .once('error', reject)
        .end()
    })
    assert.is(text, `https://127.0.0.1:${port}/a`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('the same handler works with HTTP/2', async () => {
  const handler = toNodeHandler({ fetch: async (request) => new Response(`${request.url} ${await request.text()}`) })
  const server = createHttp2Server(handler as unknown as RequestListener as never)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = connectHttp2(`http://127.0.0.1:${port}`)
  try {
    const text = await new Promise<string>((resolve, reject) => {
      let all = ''
      const stream = client.request({ ':method': 'POST', ':path': '/two' })
      stream.setEncoding('utf8').on('data', (piece: string) => (all += piece))
      stream.once('end', () => resolve(all)).once('error', reject)
      stream.end('body')
    })
    assert.is(text, `http://127.0.0.1:${port}/two body`)
  } finally {
    client.close()
    await new Promise((resolve) => server.close(resolve))
  }
})

test.run()
