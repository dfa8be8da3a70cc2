/** Cases of refused requests, and of the bytes that follow them. */
import * as assert from 'uvu/assert'
import { json } from '../../../../core/http/reply.ts'
import { responses } from '../rig.ts'
import { type AddCases, code, echo, get, later, post, whole } from './common.ts'

export const addRefusalCases: AddCases = (test, start, traits) => {
  test('a flood of pipelined requests is disconnected', async () => {
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

  test('a head above the limit gets 431', async () => {
    const { dial } = await start()
    const fits = responses(await dial(get('/health', `X: ${'a'.repeat(15_000)}\r\n`)).until(whole(1)))
    assert.is(fits[0]!.status, 200)
    for (const request of [get('/health', `X: ${'a'.repeat(20_000)}\r\n`), get(`/${'a'.repeat(40_000)}`)]) {
      assert.match(await dial(request).closed(), /^HTTP\/1.1 431 /)
    }
  })

  test('a page of a listed origin can read the refusals of the server itself', async () => {
    const { dial } = await start([], { cors_origins: ['https://app.example'] })
    for (const [status, more] of [
      [417, 'Expect: pigeons\r\n'],
      [400, 'Host: b\r\n'],
      // The parser of uWebSockets.js answers these itself.
      ...(traits.chunked
        ? ([
            [400, 'X\0: y\r\n'],
            [431, `X: ${'a'.repeat(20_000)}\r\n`],
          ] as const)
        : []),
    ] as const) {
      for (const [origin, allowed] of [
        ['https://app.example', true],
        ['https://evil.example', false],
      ] as const) {
        const answer = await dial(get('/health', `Origin: ${origin}\r\n${more}`)).closed()
        assert.match(answer, `HTTP/1.1 ${status} `)
        assert.is(
          answer.toLowerCase().includes(`access-control-allow-origin: ${origin}\r\n`),
          allowed,
          `${status} ${origin}`,
        )
      }
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
    [
      'a PROXY protocol header with an address',
      '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\x7f\0\0\x01\0\x50\0\x51GET /hit HTTP/1.1\r\nHost: a\r\n\r\n',
    ],
    ['an unknown transfer coding', 'POST /hit HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: pigeons\r\n\r\n', 411],
    [
      'a transfer coding with a length',
      'POST /hit HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
      411,
    ],
  ]
  test('a malformed request is refused, its connection is closed, and nothing after it is served', async () => {
    let hits = 0
    const hit = (): ReturnType<typeof json> => {
      hits++
      return json(200, null)
    }
    const { dial } = await start([
      { path: '/hit', handler: hit },
      { path: '/hit', method: 'POST', handler: hit },
    ])
    for (const [name, bytes, also = 400] of malformed) {
      const [response] = responses(await dial(bytes).closed())
      assert.ok(response!.status === 400 || response!.status === also, `${name}: ${response!.status}`)
      if (response!.headers['content-type'] === 'application/json')
        assert.is(code(response), response!.status === 411 ? 'length_required' : 'malformed_request', name)
      const found = responses(await dial(bytes + get('/hit')).closed())
      assert.ok(found.length <= 1 && found.every(({ status }) => status >= 400), name)
      assert.is(hits, 0, name)
    }
  })

  test('a Content-Length after a field without a name hides no request', async () => {
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

  test('an unknown expectation gets 417, and the connection is closed', async () => {
    const { dial } = await start([echo])
    for (const request of [get('/health', 'Expect: foo\r\n'), post('/echo', '{}', 'expect: 100-continue, foo\r\n')]) {
      const behind = responses(await dial(request + get('/health')).closed())
      assert.ok(behind.every(({ status }) => status === 417))
      const [response] = responses(await dial(request).closed())
      assert.is(response!.status, 417)
      assert.is(code(response), 'expectation_failed')
    }
  })

  test('malformed requests are counted, and logged once', async () => {
    const { dial, records, refusals } = await start()
    for (let i = 0; i < 5; i++) await dial(get('/health', 'Host: b\r\n')).closed()
    await dial(get('/health', 'Expect: foo\r\n')).closed()
    assert.equal(refusals, [400, 400, 400, 400, 400, 417])
    const logEntries = records.filter(({ message }) => message === 'Requests were refused before they were requests.')
    assert.equal(
      logEntries.map(({ fields }) => fields),
      [{ status: 400, code: 'malformed_request', refused: 1 }],
    )
  })

  test('a client that resets its connection after a refusal does not affect others', async () => {
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
}
