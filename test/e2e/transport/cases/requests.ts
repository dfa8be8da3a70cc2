/** Tests the request that a handler receives and the reply that its client receives. */
import * as assert from 'uvu/assert'
import { fixed, json } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import { responses } from '../rig.ts'
import { type AddCases, code, get, later, whole } from './common.ts'

export const addRequestCases: AddCases = (test, start, traits) => {
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

  test('a request behind an unfinished response is answered in order, or the connection is closed', async () => {
    const { dial } = await start([{ path: '/slow', handler: () => later(50).then(() => json(200, 'slow')) }])
    const client = dial(get('/slow') + get('/health'))
    const text = await (traits.patient ? client.until(whole(2)) : client.closed())
    const bodies = responses(text).map(({ body }) => body)
    assert.equal(bodies, traits.patient ? ['"slow"', '{"status":"ok"}'] : [])
  })

  test('requests behind a request with Connection: close are not served', async () => {
    const paths: string[] = []
    const handler = ({ path }: SvcRequest): ReturnType<typeof json> => {
      paths.push(path)
      return json(200, path)
    }
    const slow = { path: '/slow', handler: (request: SvcRequest) => later(20).then(() => handler(request)) }
    const { dial } = await start([{ path: '/first', handler }, slow, { path: '/second', handler }])
    for (const last of ['close', 'keep-alive, Close', '\tclose\t', 'keep-alive\r\nConnection: close']) {
      for (const first of ['/first', '/slow']) {
        paths.length = 0
        const bytes = get(first, `Connection: ${last}\r\n`)
        const found = responses(await dial(bytes + get('/second').repeat(3)).closed())
        // uWebSockets.js closes the connection without an answer if more requests are buffered behind this one.
        assert.ok(found.length === 1 || (!traits.patient && found.length === 0), `${last}: ${found.length} answers`)
        const client = dial(bytes)
        client.socket.write(get('/second'))
        await client.closed()
        await later(30)
        assert.equal(paths, [first, first], last)
      }
    }
  })

  test('HEAD is answered with the head of GET and no body', async () => {
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

  test('handlers get the method, path, query, headers and peer unchanged', async () => {
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

  test('the signal is aborted only if the client disconnects before its answer', async () => {
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
    for (let i = 0; i < 3_000 && signals.length < 2; i++) await later(5)
    goes.socket.destroy()
    await stays.until(whole(1))
    for (let i = 0; i < 3_000 && !signals.some(({ aborted }) => aborted); i++) await later(10)
    stays.socket.destroy()
    await later(30)
    assert.is(signals.filter(({ aborted }) => aborted).length, 1)
  })

  test('a large body arrives whole', async () => {
    const body = Buffer.alloc(5_000_000, 'abcdefghij')
    const { dial } = await start([{ path: '/large', handler: () => ({ status: 200, body }) }])
    const client = dial(get('/large'))
    const text = await client.until((text) => text.length > body.length, 60_000)
    await client.until(whole(1))
    assert.is(responses(text)[0]!.headers['content-length'], '5000000')
  })

  test('text is sent as UTF-8 with its length in bytes', async () => {
    const { dial } = await start([{ path: '/text', handler: () => json(200, 'é€') }])
    const [response] = responses(await dial(get('/text')).until(whole(1)))
    assert.is(Buffer.from(response!.body, 'latin1').toString(), '"é€"')
  })

  test('a fixed reply is the same each time, also next to replies that share its headers', async () => {
    const same = fixed({ status: 200, headers: { 'content-type': 'text/plain', 'x-two': 'b' }, body: 'grüße' })
    const { headers } = same
    const { dial } = await start([
      { path: '/same', handler: () => same },
      { path: '/other', handler: () => ({ status: 201, headers, body: 'other' }) },
      { path: '/bytes', handler: () => ({ status: 200, headers, body: new Uint8Array([104, 105]) }) },
      { path: '/empty', handler: () => ({ status: 200, headers }) },
    ])
    const paths = ['/same', '/other', '/bytes', '/empty', '/same']
    const heads = ['/same', '/other'].map((path) => get(path).replace('GET', 'HEAD'))
    const found = responses(await dial(paths.map((path) => get(path)).join('')).until(whole(5)))
    assert.equal(
      found.map(({ status, body }) => [status, Buffer.from(body, 'latin1').toString()]),
      [
        ...[
          [200, 'grüße'],
          [201, 'other'],
        ],
        ...[
          [200, 'hi'],
          [200, ''],
        ],
        [200, 'grüße'],
      ],
    )
    for (const answer of found) {
      assert.is(answer.headers['content-type'], 'text/plain')
      assert.is(answer.headers['x-two'], 'b')
      assert.is(answer.headers['content-length'], String(answer.body.length))
    }
    for (const [i, head] of heads.entries()) {
      const text = await dial(head).until((text) => text.endsWith('\r\n\r\n'))
      assert.match(text, new RegExp(`content-length: ${[7, 5][i]}\r`, 'i'))
    }
    // The same reply on a connection that is closed after it.
    const last = responses(await dial(get('/same', 'Connection: close\r\n')).closed())
    assert.is(Buffer.from(last[0]!.body, 'latin1').toString(), 'grüße')
  })

  test('a header value with a line break is answered 500 and does not split the response', async () => {
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
}
