/** What every server promises, whichever carries it. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { readJson } from '../../../core/http/json-body.ts'
import { json, type StreamSink } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Plugin } from '../../../core/plugin.ts'
import { dial, type Rig, responses, startRig, type TestRoute } from './rig.ts'

/** What differs between the servers, as their documentation says. */
export interface Traits {
  /** Takes bodies in the chunked coding. */
  readonly chunked: boolean
  /** Answers pipelined requests that do not have their answers at once. */
  readonly patient: boolean
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
const whole = (count: number) => (text: string) => responses(text).length === count && complete(text)
const complete = (text: string): boolean => {
  const last = responses(text).at(-1)!
  return last.headers['content-length'] === undefined || last.body.length === Number(last.headers['content-length'])
}
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const code = (response: { body: string } | undefined): string => JSON.parse(response!.body).error.code

const echo: TestRoute = {
  method: 'POST',
  path: '/echo',
  body: { type: 'application/json' },
  handler: async (request) => ({ status: 200, body: await request.body() }),
}

/** Adds the cases to `test`. `settings` are added to those of each case. */
export function addCases(
  test: Test,
  transports: readonly Plugin[],
  settings: Readonly<Record<string, unknown>>,
  traits: Traits,
): void {
  let rig: Rig | undefined
  const start = async (
    routes: readonly TestRoute[] = [],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Rig> => {
    rig = await startRig(transports, routes, { ...settings, ...more })
    return rig
  }
  test.after.each(async () => {
    await rig?.stop()
    rig = undefined
  })

  test('answers on a kept connection, in order', async () => {
    const { dial } = await start()
    const client = dial(get('/health'))
    await client.until(whole(1))
    client.socket.write(get('/nothing'))
    const [first, second] = responses(await client.until(whole(2)))
    assert.is(first!.status, 200)
    assert.is(first!.headers['content-type'], 'application/json')
    assert.is(first!.body, '{"status":"ok"}')
    assert.ok(Math.abs(Date.parse(first!.headers['date']!) - Date.now()) < 5_000)
    assert.is(second!.status, 404)
    assert.is(code(second), 'not_found')
  })

  test('answers pipelined requests in order', async () => {
    const { dial } = await start([{ path: '/b', handler: () => json(200, 'b') }])
    const text = await dial(get('/health') + get('/b') + get('/health')).until(whole(3))
    const bodies = responses(text).map(({ body }) => body)
    assert.equal(bodies, ['{"status":"ok"}', '"b"', '{"status":"ok"}'])
  })

  test('a request behind an unfinished answer is answered after it, or the connection is closed', async () => {
    const { dial } = await start([{ path: '/slow', handler: () => later(50).then(() => json(200, 'slow')) }])
    const client = dial(get('/slow') + get('/health'))
    const text = await (traits.patient ? client.until(whole(2)) : client.closed())
    const bodies = responses(text).map(({ body }) => body)
    assert.equal(bodies, traits.patient ? ['"slow"', '{"status":"ok"}'] : [])
  })

  test('a flood of pipelined requests is cut off', async () => {
    let waiting = 0
    const { dial } = await start([
      {
        path: '/wait',
        handler: () => {
          waiting++
          return new Promise(() => undefined)
        },
      },
    ])
    await dial(get('/wait').repeat(50_000)).closed()
    assert.ok(waiting <= 128, String(waiting))
  })

  test('HEAD has the head of GET and no body', async () => {
    let closes = 0
    const { dial } = await start([
      { path: '/none', handler: () => ({ status: 204 }) },
      { path: '/stream', handler: () => ({ status: 200, stream: (sink) => sink.onClose(() => closes++) }) },
    ])
    const client = dial('HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n')
    const head = await client.until((text) => text.endsWith('\r\n\r\n'))
    assert.match(head, /content-length: 15\r\n/i)
    client.socket.write('HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until((text) => text.length > head.length && text.endsWith('\r\n\r\n'))
    assert.is(closes, 1)
    client.socket.write(get('/none'))
    const text = await client.until((text) => text.includes(' 204 ') && text.endsWith('\r\n\r\n'))
    assert.not.match(text.slice(text.indexOf(' 204 ')), /content-length|transfer-encoding/i)
  })

  test('a method that a path does not take is 405 with Allow', async () => {
    const { dial } = await start()
    for (const method of ['POST', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const [response] = responses(await dial(`${method} /health HTTP/1.1\r\nHost: a\r\n\r\n`).until(whole(1)))
      assert.is(response!.status, 405, method)
      assert.is(response!.headers['allow'], 'GET, HEAD')
      assert.is(code(response), 'method_not_allowed')
    }
  })

  test('gives handlers method, path, query, headers and peer as they came', async () => {
    let seen: SvcRequest | undefined
    const { dial } = await start([
      {
        path: '/a/:b',
        handler: (request) => {
          seen = request
          return later(1).then(() => json(200, null))
        },
      },
    ])
    const fields = 'X-Mixed-CASE: one\r\nx-mixed-case: two\r\nAuthorization: A\r\nauthorization: B\r\nEmpty:\r\n'
    await dial(get('/a/%62?c=%20d&e', fields)).until(whole(1))
    assert.is(seen!.method, 'GET')
    assert.is(seen!.path, '/a/%62')
    assert.equal(seen!.params, { b: 'b' })
    assert.is(seen!.query, 'c=%20d&e')
    assert.is(seen!.queryParam('c'), ' d')
    assert.is(seen!.header('x-mixed-case'), 'one, two')
    assert.is(seen!.header('authorization'), 'A')
    assert.is(seen!.header('empty'), '')
    assert.is(seen!.header('absent'), undefined)
    assert.is(seen!.header('constructor'), undefined)
    assert.equal(
      { ...seen!.peer, address: seen!.peer.address, transport: seen!.peer.transport },
      { transport: 'tcp', address: '127.0.0.1' },
    )
  })

  test('reads bodies whole, in pieces, and after an await', async () => {
    const { dial } = await start([
      echo,
      {
        ...echo,
        path: '/late',
        handler: async (request) => {
          await later(60)
          return { status: 200, body: await request.body() }
        },
      },
    ])
    const client = dial(post('/echo', '{"a":1}'))
    await client.until(whole(1))
    const [head, body] = post('/late', '{"b":2}').split('\r\n\r\n')
    client.socket.write(`${head}\r\n\r\n{"b`)
    await later(20)
    client.socket.write(body!.slice(3))
    await client.until(whole(2))
    client.socket.write(post('/echo', ''))
    const bodies = responses(await client.until(whole(3))).map(({ body }) => body)
    assert.equal(bodies, ['{"a":1}', '{"b":2}', ''])
  })

  test('a body in the chunked coding is read, or refused with 411', async () => {
    const { dial } = await start([echo])
    const client = dial(
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    )
    const [response] = responses(await client.until(whole(1)))
    if (traits.chunked) assert.is(response!.body, '{"a":1}')
    else {
      assert.is(response!.status, 411)
      assert.is(code(response), 'length_required')
      await client.closed()
    }
  })

  test('a body over the limit is 413 by its length, and the connection is closed', async () => {
    let ran = false
    const { dial } = await start(
      [
        {
          ...echo,
          handler: () => {
            ran = true
            return json(200, null)
          },
        },
      ],
      {
        max_body_bytes: 1_024,
      },
    )
    const client = dial(post('/echo', 'x'.repeat(200_000)))
    const [response] = responses(await client.closed())
    assert.is(response!.status, 413)
    assert.is(response!.headers['connection'], 'close')
    assert.is(code(response), 'payload_too_large')
    assert.not.ok(ran)
  })

  test('a body over the limit is 413 while it is read', async () => {
    if (!traits.chunked) return
    const { dial } = await start([echo], { max_body_bytes: 1_024 })
    const client = dial(
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    for (let i = 0; i < 20; i++) client.socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`)
    const [response] = responses(await client.closed())
    assert.is(response!.status, 413)
    assert.is(code(response), 'payload_too_large')
  })

  test('a body that nobody reads is not taken for a request, short or long', async () => {
    const { dial } = await start()
    const inner = get('/health')
    const short = dial(post('/nothing', inner) + get('/health'))
    const statuses = responses(await short.until(whole(2))).map(({ status }) => status)
    assert.equal(statuses, [404, 200])
    const long = responses(await dial(post('/nothing', inner.repeat(5_000))).closed())
    assert.equal(
      long.map(({ status, headers }) => [status, headers['connection']]),
      [[404, 'close']],
    )
  })

  test('Expect: 100-continue is answered before the body comes', async () => {
    const { dial } = await start([echo])
    const request = post('/echo', '{"a":1}', 'Expect: 100-continue\r\n')
    const client = dial(request.slice(0, -7))
    await client.until((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n')
    client.socket.write('{"a":1}')
    const text = await client.until((text) => text.endsWith('{"a":1}'))
    assert.match(text, /HTTP\/1.1 200 OK/)
  })

  test('a request that is answered without its expected body ends the connection', async () => {
    let hits = 0
    const { dial } = await start([
      { path: '/no', method: 'POST', handler: () => json(403, null) },
      {
        path: '/hit',
        handler: () => {
          hits++
          return json(200, null)
        },
      },
    ])
    const inner = get('/hit')
    const client = dial(post('/no', inner, 'Expect: 100-continue\r\n').slice(0, -inner.length))
    await client.until((text) => text.includes(' 403 '))
    client.socket.write(inner)
    await later(100)
    assert.is(hits, 0)
  })

  test('a head over the limit is 431', async () => {
    const { dial } = await start()
    const fits = responses(await dial(get('/health', `X: ${'a'.repeat(15_000)}\r\n`)).until(whole(1)))
    assert.is(fits[0]!.status, 200)
    for (const request of [get('/health', `X: ${'a'.repeat(20_000)}\r\n`), get(`/${'a'.repeat(40_000)}`)]) {
      assert.match(await dial(request).closed(), /^HTTP\/1.1 431 /)
    }
  })

  const malformed: readonly [string, string, number?][] = [
    ['two Host headers', 'GET /hit HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['two equal Host headers', 'GET /hit HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    ['a Host header with a path', 'GET /hit HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['a Host header with a user', 'GET /hit HTTP/1.1\r\nHost: u@a\r\n\r\n'],
    ['no Host header', 'GET /hit HTTP/1.1\r\nX: y\r\n\r\n'],
    ['an empty Content-Length', 'POST /hit HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n'],
    ['a signed Content-Length', 'POST /hit HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello'],
    ['two Content-Lengths', 'POST /hit HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['an unknown method', 'GETT /hit HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 'get /hit HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['bytes above ASCII in the target', 'GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown transfer coding', 'POST /hit HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: pigeons\r\n\r\n', 411],
    [
      'a transfer coding with a length',
      'POST /hit HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
      411,
    ],
  ]
  for (const [name, bytes, also = 400] of malformed) {
    test(`${name}: refused and closed, and nothing behind it is served`, async () => {
      let hits = 0
      const hit = (): ReturnType<typeof json> => {
        hits++
        return json(200, null)
      }
      const { dial } = await start([
        { path: '/hit', handler: hit },
        { path: '/hit', method: 'POST', handler: hit },
      ])
      const [response] = responses(await dial(bytes).closed())
      assert.ok(response!.status === 400 || response!.status === also, String(response!.status))
      if (response!.headers['content-type'] === 'application/json') {
        assert.is(code(response), response!.status === 411 ? 'length_required' : 'malformed_request')
      }
      const found = responses(await dial(bytes + get('/hit')).closed())
      assert.ok(found.length <= 1)
      assert.ok(found.every(({ status }) => status >= 400))
      assert.is(hits, 0)
    })
  }

  test('a length that stands behind a field without a name hides no request', async () => {
    let hits = 0
    const { dial } = await start([
      {
        path: '/hit',
        handler: () => {
          hits++
          return json(200, null)
        },
      },
      { path: '/none', method: 'POST', handler: () => ({ status: 204 }) },
    ])
    const inner = get('/hit')
    const client = dial(`POST /nothing HTTP/1.1\r\nHost: a\r\n: y\r\nContent-Length: ${inner.length}\r\n\r\n`)
    await later(30)
    client.socket.write(inner)
    await client.closed()
    const head = `HTTP/1.1\r\nHost: a\r\n: y\r\nContent-Length: ${inner.length}\r\n\r\n`
    await dial(`POST /nothing ${head}${inner}`).closed()
    const bodyless = dial(`POST /none ${head}`)
    await later(30)
    bodyless.socket.write(inner)
    await bodyless.closed()
    assert.is(hits, 0)
  })

  test('a client that resets its connection on a refusal does no harm', async () => {
    const { dial } = await start()
    for (const bytes of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'GARBAGE\r\n\r\n']) {
      for (let i = 0; i < 20; i++) {
        const client = dial(bytes)
        await new Promise<void>((resolve) => client.socket.once('connect', () => resolve()))
        client.socket.write(bytes, () => client.socket.resetAndDestroy())
      }
    }
    await later(50)
    await dial(get('/health')).until(whole(1))
  })

  test('garbage is refused and closed', async () => {
    const { dial } = await start()
    assert.match(await dial('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n').closed(), /^HTTP\/1.1 (400|505) /)
  })

  test('Connection: close is honoured, and what stands behind it is not served', async () => {
    const { dial } = await start()
    const alone = await dial(get('/health', 'Connection: close\r\n')).closed()
    assert.is(responses(alone)[0]!.body, '{"status":"ok"}')
    const two = await dial(get('/health', 'Connection: keep-alive, Close\r\n') + get('/health')).closed()
    assert.ok(responses(two).filter(({ status }) => status < 400).length <= 1)
  })

  test('an upload that breaks off rejects body() and aborts the signal', async () => {
    let failure: unknown
    let aborted = false
    const { dial } = await start([
      {
        ...echo,
        handler: async (request) => {
          request.signal.addEventListener('abort', () => (aborted = true))
          failure = await request.body().catch((error: unknown) => error)
          return json(200, null)
        },
      },
    ])
    const client = dial(post('/echo', '{"a":1}').slice(0, -3))
    await later(50)
    client.socket.destroy()
    for (let i = 0; i < 100 && !(aborted && failure !== undefined); i++) await later(10)
    assert.ok(isSvcError(failure, 'client_gone'))
    assert.ok(aborted)
  })

  test('a client that goes before its answer aborts the signal, and only then', async () => {
    const signals: AbortSignal[] = []
    const { dial } = await start([
      {
        path: '/wait',
        handler: async (request) => {
          signals.push(request.signal)
          await later(150)
          return json(200, null)
        },
      },
    ])
    const stays = dial(get('/wait'))
    const goes = dial(get('/wait'))
    for (let i = 0; i < 100 && signals.length < 2; i++) await later(5)
    goes.socket.destroy()
    await stays.until(whole(1))
    for (let i = 0; i < 100 && !signals.some(({ aborted }) => aborted); i++) await later(10)
    stays.socket.destroy()
    await later(30)
    assert.is(signals.filter(({ aborted }) => aborted).length, 1)
  })

  test('a stream writes as it goes, and ends', async () => {
    let open: StreamSink | undefined
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          stream: (sink) => {
            open = sink
            sink.onClose(() => closes++)
            sink.write(Buffer.from('data: 1\n\n'))
          },
        }),
      },
    ])
    const client = dial(get('/stream'))
    await client.until((text) => text.includes('data: 1\n\n'))
    assert.ok(open!.write(Buffer.from('data: 2\n\n')))
    await client.until((text) => text.includes('data: 2\n\n'))
    open!.write(new Uint8Array(0))
    open!.end()
    open!.end()
    assert.is(open!.write(Buffer.from('data: 3\n\n')), false)
    const [response] = responses(await client.until((text) => text.includes('\r\n0\r\n\r\n')))
    assert.is(response!.headers['transfer-encoding'], 'chunked')
    assert.is(response!.body, 'data: 1\n\ndata: 2\n\n')
    assert.is(closes, 1)
    client.socket.write(get('/health'))
    await client.until((text) => text.endsWith('{"status":"ok"}'))
  })

  test('a stream hears once that its client is gone', async () => {
    let open: StreamSink | undefined
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: async () => ({
          status: 200,
          stream: (sink) => {
            open = sink
            sink.onClose(() => closes++)
            sink.write(Buffer.from('x'))
          },
        }),
      },
    ])
    const client = dial(get('/stream'))
    await client.until((text) => text.includes('x\r\n') || text.endsWith('x'))
    client.socket.destroy()
    for (let i = 0; i < 100 && closes === 0; i++) await later(10)
    assert.is(open!.write(Buffer.from('y')), false)
    open!.end()
    let late = 0
    open!.onClose(() => late++)
    assert.equal([closes, late], [1, 1])
  })

  /** A stream to a client that reads nothing, filled until what the operating system holds is full and the sink is too. */
  const fillStuckStream = async (): Promise<{
    sink: StreamSink
    closes: () => number
    rest: () => Promise<string>
  }> => {
    let open: StreamSink | undefined
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            sink.onClose(() => closes++)
            const fill = (): void => {
              while (sink.write(Buffer.alloc(300_000, 'abcdefghij')));
            }
            sink.onDrain(fill)
            fill()
            open = sink
          },
        }),
      },
    ])
    const { socket } = dial()
    socket.removeAllListeners('data')
    socket.pause()
    socket.write(get('/stream'))
    for (let i = 0; i < 200 && open === undefined; i++) await later(10)
    await later(300)
    const rest = (): Promise<string> =>
      new Promise((resolve) => {
        const received: Buffer[] = []
        const tell = (): void => resolve(Buffer.concat(received).toString('latin1'))
        socket.on('data', (data) => received.push(data))
        socket.once('close', tell)
        socket.resume()
        setTimeout(tell, 2_000)
      })
    return { sink: open!, closes: () => closes, rest }
  }

  test('a stream that is cut drops what waits, and its connection', async () => {
    const { sink, closes, rest } = await fillStuckStream()
    sink.abort()
    sink.abort()
    for (let i = 0; i < 100 && closes() === 0; i++) await later(10)
    assert.is(closes(), 1)
    assert.is(sink.write(Buffer.from('more')), false)
    sink.end()
    assert.not((await rest()).endsWith('\r\n0\r\n\r\n'), 'what waited was dropped')
    assert.is(closes(), 1)
  })

  test('a stream that has ended does not wait for ever for a client that reads nothing', async () => {
    const { sink, closes, rest } = await fillStuckStream()
    sink.end()
    // Both servers give such a client 10 s, counted by a timer that ticks every few seconds.
    await later(16_000)
    assert.is(closes(), 1)
    assert.not((await rest()).endsWith('\r\n0\r\n\r\n'), 'what waited was dropped')
  })

  test('a stream tells a fast writer to wait, and goes on when the client has caught up', async () => {
    const chunk = Buffer.alloc(300_000, 'abcdefghij')
    let sent = 0
    let most = 0
    let drains = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            const fill = (): void => {
              while (sent < 100) {
                sent++
                const more = sink.write(chunk)
                most = Math.max(most, sink.buffered)
                if (!more) return
              }
              sink.end()
            }
            sink.onDrain(() => {
              drains++
              fill()
            })
            fill()
          },
        }),
      },
    ])
    const client = dial()
    client.socket.removeAllListeners('data')
    client.socket.pause()
    client.socket.write(get('/stream'))
    for (let i = 0; i < 100 && sent === 0; i++) await later(10)
    await later(100)
    assert.ok(sent < 100, 'the writer was told to wait')
    const before = sent
    await later(50)
    assert.is(sent, before)
    const received: Buffer[] = []
    await new Promise<void>((resolve, reject) => {
      client.socket.on('data', (data) => {
        received.push(data)
        if (data.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n') resolve()
      })
      client.socket.on('close', () => reject(new Error('The stream was cut off.')))
      client.socket.resume()
    })
    const [response] = responses(Buffer.concat(received).toString('latin1'))
    assert.is(response!.body.length, 100 * chunk.length)
    assert.ok(Buffer.from(response!.body.slice(0, 300_000)).equals(chunk))
    assert.is(response!.body.slice(-10), 'abcdefghij')
    assert.ok(drains > 0)
    assert.ok(most < 2_000_000, String(most))
  })

  test('a stream whose client is gone before it opened hears that it is closed', async () => {
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: async () => {
          await later(80)
          return { status: 200, stream: (sink) => sink.onClose(() => closes++) }
        },
      },
    ])
    const client = dial(get('/stream'))
    await later(30)
    client.socket.destroy()
    for (let i = 0; i < 100 && closes === 0; i++) await later(10)
    assert.is(closes, 1)
  })

  test('a stream that fails to open ends the connection and hears it', async () => {
    let closes = 0
    const { dial } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            sink.onClose(() => closes++)
            throw new Error('no')
          },
        }),
      },
      {
        path: '/split',
        handler: () => ({
          status: 200,
          headers: { 'x-a': 'b\r\nc: d' },
          stream: (sink) => sink.onClose(() => closes++),
        }),
      },
    ])
    await dial(get('/stream')).closed()
    assert.match(await dial(get('/split')).until(whole(1)), /^HTTP\/1.1 500 /)
    for (let i = 0; i < 100 && closes < 2; i++) await later(10)
    assert.is(closes, 2)
  })

  test('a large body arrives whole', async () => {
    const body = Buffer.alloc(5_000_000, 'abcdefghij')
    const { dial } = await start([{ path: '/large', handler: () => ({ status: 200, body }) }])
    const client = dial(get('/large'))
    const text = await client.until((text) => text.length > body.length, 15_000)
    await client.until(whole(1))
    assert.is(responses(text)[0]!.headers['content-length'], '5000000')
  })

  test('text is sent as UTF-8 with its length in bytes', async () => {
    const { dial } = await start([{ path: '/text', handler: () => json(200, 'é€') }])
    const [response] = responses(await dial(get('/text')).until(whole(1)))
    assert.is(Buffer.from(response!.body, 'latin1').toString(), '"é€"')
  })

  test('a header that would break the head is a 500, not a split response', async () => {
    const { dial, records } = await start([
      { path: '/split', handler: () => json(200, null, { 'x-a': 'b\r\nset-cookie: c=d' }) },
      { path: '/later', handler: async () => json(200, null, { 'x-a': 'b\nc' }) },
    ])
    for (const path of ['/split', '/later']) {
      const text = await dial(get(path)).until(whole(1))
      assert.match(text, /^HTTP\/1.1 500 /)
      assert.not.match(text, /set-cookie/)
    }
    assert.ok(records.some(({ message }) => message === 'A reply could not be written.'))
  })

  test('a schema failure of a body read late is answered', async () => {
    const schema = { '~standard': { validate: () => ({ issues: [{ message: 'no' }] }) } }
    const { dial } = await start([
      { ...echo, handler: (request) => readJson(request, schema).then(() => json(200, null)) },
    ])
    const [response] = responses(await dial(post('/echo', '{}')).until(whole(1)))
    assert.is(code(response), 'malformed_request')
  })

  test('a port that is taken fails the start with its reason', async () => {
    const { port } = await start()
    await startRig(transports, [], { ...settings, port }).then(
      () => assert.unreachable(),
      (error: unknown) => assert.ok(isSvcError(error, 'ERR_LISTEN_FAILED'), String(error)),
    )
  })

  test('a stop lets requests in flight finish, and takes no new ones', async () => {
    const {
      dial: open,
      kernel,
      port,
    } = await start([{ path: '/slow', handler: () => later(200).then(() => json(200, 'done')) }])
    const kept = open(get('/health'))
    await kept.until(whole(1))
    const slow = open(get('/slow'))
    await later(50)
    const begun = Date.now()
    const stopped = kernel.stop()
    await later(20)
    const refused = dial(port, get('/health'))
    assert.is(await refused.closed(), '')
    const [response] = responses(await slow.closed())
    assert.is(response!.body, '"done"')
    assert.is(response!.headers['connection'], 'close')
    await kept.closed()
    await stopped
    assert.ok(Date.now() - begun < 1_500, 'well within the grace')
  })

  test('a stop does not wait for connections whose streams have ended', async () => {
    let open: StreamSink | undefined
    const { dial, kernel } = await start([
      {
        path: '/stream',
        handler: () => ({
          status: 200,
          stream: (sink) => {
            open = sink
            sink.write(Buffer.from('one'))
          },
        }),
      },
    ])
    const client = dial(get('/stream'))
    await client.until((text) => text.includes('one'))
    const begun = Date.now()
    const stopped = kernel.stop()
    await later(50)
    open!.write(Buffer.from('two'))
    open!.end()
    assert.match(await client.closed(), /two\r\n0\r\n\r\n$/)
    await stopped
    assert.ok(Date.now() - begun < 1_500, 'well within the grace')
  })

  test('a stop does not wait longer than the grace', async () => {
    const { dial, kernel } = await start([{ path: '/never', handler: () => new Promise(() => undefined) }], {
      shutdown_grace_ms: 200,
    })
    const client = dial(get('/never'))
    await later(50)
    const begun = Date.now()
    await kernel.stop()
    await client.closed()
    assert.ok(Date.now() - begun < 1_500)
  })

  test('a stop ends idle connections and half-sent heads', async () => {
    const { dial, kernel } = await start([], { shutdown_grace_ms: 300 })
    const silent = dial()
    const half = dial('GET /health HT')
    await later(50)
    await kernel.stop()
    await Promise.all([silent.closed(), half.closed()])
  })
}
