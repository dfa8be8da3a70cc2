import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../../core/declare/errors.ts'
import { fromFetch, toFetch, toResponse } from '../../../../core/http/fetch.ts'
import { empty, json, type Reply, type StreamSink } from '../../../../core/http/reply.ts'
import { settle } from '../../../support/held-clock.ts'
import { makeRequest } from '../../../support/requests.ts'
import { rejection } from '../../../support/throws.ts'

const test = suite('core: fetch')
const url = 'http://host.example:8080'
const half = new Uint8Array(512 * 1024)
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Opens a stream. Returns the response, the sink of the writer and its events. */
function open(request: Request = new Request(url)) {
  let sink: StreamSink | undefined
  const events: string[] = []
  const reply: Reply = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    stream: (given) => {
      sink = given
      given.onDrain(() => events.push('drain'))
      given.onClose(() => events.push('close'))
    },
  }
  const response = toResponse(reply, fromFetch(request, 0))
  return { response, sink: sink!, events }
}

test('a request has the method, path, query and headers of the Fetch request', () => {
  const request = new Request(`${url}/a%2Fb//c?x=1&x=2&y=%20#part`, {
    method: 'PUT',
    headers: { 'X-A': 'a', accept: 'b' },
  })
  const light = fromFetch(request, 7)
  assert.is(light.method, 'PUT')
  assert.is(light.path, '/a%2Fb//c')
  assert.is(light.query, 'x=1&x=2&y=%20')
  assert.is(light.startedMs, 7)
  assert.is(light.header('x-a'), 'a')
  assert.is(light.header('x-b'), undefined)
  assert.is(light.queryParam('x'), '1')
  assert.is(light.queryParam('y'), ' ')
  assert.is(light.queryParam('z'), undefined)
  assert.equal(light.peer, { transport: 'in-process', address: '' })
  assert.is(light.signal, request.signal)
})

test('the path and query of every form of URL are read', () => {
  const pathOf = (of: string): string[] => {
    const { path, query } = fromFetch({ url: of, method: 'GET' } as Request, 0)
    return [path, query]
  }
  assert.equal(pathOf('http://h'), ['/', ''])
  assert.equal(pathOf('http://h?a=b'), ['/', 'a=b'])
  assert.equal(pathOf('https://u:p@[::1]:1/x/../health?a?b#c?d'), ['/x/../health', 'a?b'])
  assert.equal(pathOf('http://h//health'), ['//health', ''])
  assert.equal(pathOf('capacitor+app://localhost/x'), ['/x', ''])
  assert.equal(pathOf('/already/a/path?x'), ['/already/a/path', 'x'])
})

test('a body is read up to its limit, whatever its Content-Length', async () => {
  const post = (body: BodyInit, limit: number, headers: Record<string, string> = {}): Promise<Uint8Array> => {
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
    const light = fromFetch(new Request(url, init), 0)
    light.bodyLimit = limit
    return light.body()
  }
  const chunked = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => {
        for (const piece of ['ab', 'cd', 'ef']) controller.enqueue(bytes(piece))
        controller.close()
      },
    })
  assert.equal(await post('abc', 3), bytes('abc'))
  assert.equal(await post(chunked(), 6), bytes('abcdef'))
  await rejection('payload_too_large', post(chunked(), 5))
  await rejection('payload_too_large', post('abc', 2, { 'content-length': '1' }))
  await rejection('payload_too_large', post('a', 0))
  assert.is((await fromFetch(new Request(url), 0).body()).byteLength, 0)
})

test('the rest of a body over the limit is not read', async () => {
  let pulled = 0
  let cancelled = false
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled++
        controller.enqueue(half)
      },
      cancel: () => void (cancelled = true),
    },
    { highWaterMark: 0 },
  )
  const light = fromFetch(new Request(url, { method: 'POST', body: endless, duplex: 'half' } as RequestInit), 0)
  light.bodyLimit = half.byteLength
  await rejection('payload_too_large', light.body())
  assert.ok(cancelled)
  assert.ok(pulled <= 3, `${pulled} pieces`)
})

test('a body that breaks off is client_gone, however the host reports it', async () => {
  const failing = (error: unknown): Promise<Uint8Array> => {
    const body = new ReadableStream({ pull: (controller) => controller.error(error) })
    const light = fromFetch(new Request(url, { method: 'POST', body, duplex: 'half' } as RequestInit), 0)
    light.bodyLimit = 9
    return light.body()
  }
  for (const cause of [new DOMException('gone', 'AbortError'), new TypeError('terminated'), 'a text']) {
    const gone = await rejection('client_gone', failing(cause))
    assert.is(gone.status, 499)
    assert.is(gone.cause, cause)
  }
})

test('a body that is created in the process is recognised without a header', () => {
  assert.ok(fromFetch(new Request(url, { method: 'POST', body: '{}' }), 0).hasBody)
  assert.not.ok(fromFetch(new Request(url, { method: 'POST' }), 0).hasBody)
  assert.ok(makeRequest('/', { headers: { 'transfer-encoding': 'chunked' } }).hasBody)
  assert.ok(makeRequest('/', { body: 'x' }).hasBody)
  assert.not.ok(makeRequest('/', { headers: { 'content-length': '0' } }).hasBody)
})

test('plain replies become responses', async () => {
  const response = toResponse(json(201, { a: 1 }, { location: '/x' }), makeRequest('/'))
  assert.is(response.status, 201)
  assert.equal(Object.fromEntries(response.headers), { 'content-type': 'application/json', location: '/x' })
  assert.equal(await response.json(), { a: 1 })
  const binary = toResponse({ status: 200, body: new Uint8Array([1, 2]) }, makeRequest('/'))
  assert.equal(new Uint8Array(await binary.arrayBuffer()), new Uint8Array([1, 2]))
  const head = toResponse(json(200, { a: 1 }), makeRequest('/', { method: 'HEAD' }))
  assert.is(head.body, null)
  assert.is(head.headers.get('content-type'), 'application/json')
  for (const status of [204, 205, 304]) {
    const none = toResponse({ status, body: 'x' }, makeRequest('/'))
    assert.is(none.status, status)
    assert.is(none.body, null)
  }
  assert.is(toResponse(empty(404), makeRequest('/')).headers.get('content-type'), null)
})

test('a stream delivers what was written, and then ends', async () => {
  const { response, sink, events } = open()
  assert.is(response.headers.get('content-type'), 'text/event-stream')
  assert.ok(sink.write(bytes('one ')))
  setImmediate(() => {
    sink.write(bytes('two'))
    sink.end()
    sink.end()
  })
  assert.is(await response.text(), 'one two')
  assert.equal(events, ['close'])
  assert.not.ok(sink.write(bytes('late')), 'no write is accepted after the end')
  assert.is(sink.buffered, 0)
})

test('a writer notices a reader that falls behind, and gets a drain event when the reader catches up', async () => {
  const { response, sink, events } = open()
  const reader = response.body!.getReader()
  assert.ok(sink.write(half))
  assert.is(sink.buffered, half.byteLength)
  assert.not.ok(sink.write(half), 'one megabyte is the mark')
  assert.is(sink.buffered, 2 * half.byteLength)
  await settle()
  assert.equal(events, [])
  await reader.read()
  await settle()
  assert.equal(events, ['drain'])
  assert.is(sink.buffered, half.byteLength)
  await reader.read()
  await settle()
  assert.equal(events, ['drain'], 'one drain event for each time the reader fell behind')
  sink.write(half)
  assert.not.ok(sink.write(half))
  await reader.read()
  await settle()
  assert.equal(events, ['drain', 'drain'])
  await reader.cancel()
})

test('a reader that leaves causes one close event, and no more writes are accepted', async () => {
  const controller = new AbortController()
  const { response, sink, events } = open(new Request(url, { signal: controller.signal }))
  await response.body!.cancel()
  assert.equal(events, ['close'])
  assert.not.ok(sink.write(half))
  assert.is(sink.buffered, 0)
  controller.abort()
  sink.end()
  await settle()
  assert.equal(events, ['close'])
})

test('an abort ends the stream on both sides', async () => {
  const controller = new AbortController()
  const { response, sink, events } = open(new Request(url, { signal: controller.signal }))
  const reading = response.text().catch((error: Error) => error)
  controller.abort(new Error('closed tab'))
  assert.instance(await reading, Error)
  assert.equal(events, ['close'])
  assert.not.ok(sink.write(half))
})

test('an aborted stream fails for its reader, and buffered data is dropped', async () => {
  const { response, sink, events } = open()
  sink.write(half)
  sink.abort()
  sink.abort()
  const reading = await response.text().catch((error: unknown) => error)
  assert.ok(isSvcError(reading, 'client_gone'))
  assert.equal(events, ['close'])
  assert.is(sink.buffered, 0)
})

test('a stream for a client that is already gone ends before it begins', async () => {
  const { response, sink, events } = open(new Request(url, { signal: AbortSignal.abort() }))
  assert.not.ok(sink.write(half))
  await settle()
  assert.equal(events, ['close'])
  assert.instance(await response.text().catch((error: unknown) => error), DOMException)
})

test('a stream for HEAD ends before it begins', async () => {
  const events: string[] = []
  const stream = (sink: StreamSink): void => sink.onClose(() => events.push('close'))
  const response = toResponse({ status: 200, stream }, makeRequest('/', { method: 'HEAD' }))
  await settle()
  assert.is(response.body, null)
  assert.equal(events, ['close'])
})

test('a stream that fails at its start fails for the reader', async () => {
  const reply: Reply = {
    status: 200,
    stream: () => {
      throw new Error('no topic')
    },
  }
  const response = toResponse(reply, fromFetch(new Request(url), 0))
  assert.match(((await response.text().catch((error: unknown) => error)) as Error).message, 'no topic')
})

test('streams leave no listener on a signal that outlives them', async () => {
  let listeners = 0
  const target = new AbortController().signal
  const signal = new Proxy(target, {
    get: (_, name) => {
      if (name === 'addEventListener') return () => void listeners++
      if (name === 'removeEventListener') return () => void listeners--
      return Reflect.get(target, name, target) as unknown
    },
  })
  const request = Object.defineProperty(makeRequest('/'), 'signal', { value: signal })
  const response = toResponse({ status: 200, stream: (sink) => sink.end() }, request)
  assert.is(await response.text(), '')
  assert.is(listeners, 0)
})

test('a surface works as a fetch handler', async () => {
  const handle = toFetch(
    {
      name: 'runtime',
      routes: [],
      maxBodyBytes: 0,
      handle: async (request) => json(200, request.startedMs),
      crossOrigin: () => ({}),
    },
    () => 5,
  )
  assert.is(await (await handle(new Request(url))).text(), '5')
})

test.run()
