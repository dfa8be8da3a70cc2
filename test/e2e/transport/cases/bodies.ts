/** Bodies of requests: read, refused, ignored, expected and incomplete bodies. */
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../../core/declare/errors.ts'
import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import { responses } from '../rig.ts'
import { type AddCases, code, echo, get, later, post, whole } from './common.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Reads the body, and answers with more than the transports send in one write. */
const large: Handler = async (request) => {
  await request.body()
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(100_000) }
}

export const addBodyCases: AddCases = (test, start, traits) => {
  test('a body is read whole, in pieces, and after an await', async () => {
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

  test('a malformed upload is refused with the error envelope', async () => {
    if (!traits.chunked) return
    let failure: unknown
    const { dial } = await start([
      echo,
      {
        ...echo,
        path: '/keeps',
        handler: async (request) => {
          failure = await request.body().catch((error: unknown) => error)
          return json(200, null)
        },
      },
      { ...echo, path: '/waits', handler: () => new Promise(() => undefined) },
    ])
    for (const path of ['/echo', '/keeps', '/waits']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      const client = dial(`${head}3\r\n{"a\r\n`)
      await later(30)
      client.socket.write('zz\r\n')
      const [response] = responses(await client.closed())
      assert.is(response!.status, 400, path)
      assert.is(code(response), 'malformed_request')
    }
    assert.ok(isSvcError(failure, 'client_gone'))
  })

  test('a body above the limit gets 413 from its length, and the connection is closed', async () => {
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

  test('a chunked body above the limit gets 413 while it is read', async () => {
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

  test('an unread body is not parsed as a request, short or long', async () => {
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

  test('Expect: 100-continue in any spelling is answered before the body arrives', async () => {
    const { dial } = await start([echo, { ...echo, path: '/large', handler: large }])
    for (const expectation of ['100-continue', '100-Continue', '100-CONTINUE']) {
      for (const [path, body] of [
        ['/echo', '{"a":1}'],
        ['/large', 'x'.repeat(100_000)],
      ] as const) {
        const request = post(path, '{"a":1}', `Expect: ${expectation}\r\n`)
        const client = dial(request.slice(0, -7))
        await client.until((text) => text === CONTINUE)
        client.socket.write('{"a":1}')
        const [answer] = responses((await client.until((text) => text.endsWith(body))).slice(CONTINUE.length))
        assert.equal([answer!.status, answer!.body], [200, body])
        client.socket.write(get('/health'))
        await client.until((text) => text.endsWith('{"status":"ok"}'))
      }
    }
  })

  test('an answer before the expected body ends the connection', async () => {
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
    for (const expectation of ['100-continue', '100-Continue']) {
      const client = dial(post('/no', inner, `Expect: ${expectation}\r\n`).slice(0, -inner.length))
      await client.until((text) => text.includes(' 403 '))
      client.socket.write(inner)
      await later(100)
      assert.is(hits, 0)
    }
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
    for (let i = 0; i < 3_000 && !(aborted && failure !== undefined); i++) await later(10)
    assert.ok(isSvcError(failure, 'client_gone'))
    assert.ok(aborted)
  })
}
