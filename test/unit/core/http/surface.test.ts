import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Guard } from '../../../../core/http/guard.ts'
import { anonymous, type Identity } from '../../../../core/http/identity.ts'
import { json, type Reply } from '../../../../core/http/reply.ts'
import type { BodySpec, Handler, Route } from '../../../../core/http/route.ts'
import { compileSurface, type Surface, type SurfaceParts } from '../../../../core/http/surface.ts'
import { httpFail, kernelFail } from '../../../../core/kernel/catalogue.ts'
import { LogHub } from '../../../../core/kernel/log.ts'
import { printable } from '../../../../core/kernel/printable.ts'
import { keepLog, openPaths } from '../../../support/kernels.ts'
import { bodyOf, errorOf, makeRequest, postJson } from '../../../support/requests.ts'

const test = suite('core: surface')

const alice: Identity = { ...anonymous, kind: 'user', user: 'alice', tenant: 't' }
const letIn: Guard = () => alice
const ok: Handler = (request) => json(200, { user: request.identity.user, params: request.params })
const log = keepLog()
const hub = new LogHub(() => 0)
hub.attach(log)
test.before.each(() => void log.records.splice(0))

const route = (parts: Partial<Route>): Route => ({
  surface: 'runtime',
  method: 'GET',
  path: '/x',
  summary: '',
  handler: ok,
  ...parts,
})

function surfaceOf(routes: readonly Route[], parts: Partial<SurfaceParts> = {}): Surface {
  return compileSurface({
    name: 'runtime',
    routes,
    guard: letIn,
    open: new Set(openPaths),
    hooks: [],
    log: hub.logger('svc::http'),
    monotonic: () => 100,
    newId: () => 'fresh-id',
    bodyLimit: () => 1_000,
    ...parts,
  })
}

const status = async (surface: Surface, target: string, method = 'GET'): Promise<number> =>
  (await surface.handle(makeRequest(target, { method }))).status

test('the guard is called again after a body that took time to arrive, and only then', async () => {
  let nowMs = 0
  let guardCalls = 0
  let caller: Identity | null = alice
  const guard: Guard = () => {
    guardCalls++
    if (caller === null) throw httpFail('credential_missing', { message: 'gone' })
    return caller
  }
  let effects = 0
  const handler: Handler = async (request) => {
    await request.body()
    effects++
    return json(200, { user: request.identity.user })
  }
  const body = { type: 'application/json' }
  const surface = surfaceOf([route({ method: 'POST', body, handler }), route({ path: '/get', handler })], {
    guard,
    monotonic: () => nowMs,
  })
  /** Sends a request whose body takes `ms`. `meanwhile` is called before the body arrives. */
  const post = async (ms: number, meanwhile: () => void = () => {}): Promise<Reply> => {
    const reply = surface.handle(postJson('/x', {}))
    nowMs += ms
    meanwhile()
    return reply
  }
  assert.is((await post(1)).status, 200)
  assert.is(guardCalls, 1)
  assert.is((await post(2)).status, 200)
  assert.is(guardCalls, 3)
  assert.is((await surface.handle(makeRequest('/get'))).status, 200)
  assert.is(guardCalls, 4)

  effects = 0
  const refused = await post(2, () => (caller = null))
  assert.equal([refused.status, errorOf(refused)['message'], effects], [401, 'gone', 0])
  // If credentials are optional, the guard does not throw but returns another identity.
  for (const other of [
    anonymous,
    { ...alice, tenant: 'u' },
    { ...alice, credential: { id: 'c', expiresAtMs: null } },
  ]) {
    caller = alice
    assert.is((await post(2, () => (caller = other))).status, 401)
  }
  assert.is(effects, 0)
})

test('a request without asynchronous work is answered synchronously', () => {
  const reply = surfaceOf([route({})]).handle(makeRequest('/x')) as Reply
  assert.is(reply.status, 200)
  assert.is(bodyOf(reply)['user'], 'alice')
})

test('the guard runs before routing, so that a caller without a credential does not learn which paths exist', async () => {
  const refuse: Guard = () => {
    throw httpFail('credential_missing')
  }
  for (const guard of [refuse, async (request) => refuse(request), undefined] satisfies (Guard | undefined)[]) {
    const surface = surfaceOf([route({ path: '/x/:id', method: 'POST', body: { type: 'a/b' } }), route({})], { guard })
    const targets = ['/x', '/nothing', '/x/%', '/x/1', '/', '', '/health/', '//health', '/x/../health', '/metrics/']
    for (const target of targets) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD', 'BREW']) {
        const reply = await surface.handle(makeRequest(target, { method }))
        assert.is(reply.status, 401, `${method} ${target}`)
        assert.is(reply.headers!['www-authenticate'], 'Bearer realm="svc"')
        assert.is(errorOf(reply)['code'], 'credential_missing')
      }
    }
  }
})

test('open paths need no credential in their exact spelling, with or without a route', async () => {
  const surface = surfaceOf([route({ path: '/health', auth: 'none' })], { guard: undefined })
  assert.is(await status(surface, '/health'), 200)
  assert.is(await status(surface, '/health?x=1'), 200)
  assert.is(await status(surface, '/health', 'HEAD'), 200)
  const wrong = await surface.handle(makeRequest('/health', { method: 'POST' }))
  assert.is(wrong.status, 405)
  assert.is(wrong.headers!['allow'], 'GET, HEAD')
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.is(await status(surface, path), 404)
  const local = surfaceOf([], { guard: undefined, name: 'local', open: new Set() })
  assert.is(await status(local, '/health'), 401)
})

test('the open paths are given to the surface; it has none by default', async () => {
  const closed = surfaceOf([], { guard: undefined, open: new Set() })
  for (const path of openPaths) assert.is(await status(closed, path), 401, path)
  const edge = surfaceOf([], { guard: undefined, open: new Set(['/edge/status']) })
  assert.is(await status(edge, '/edge/status'), 404)
  for (const path of ['/edge/status/', '/edge//status', '/edge/%73tatus', '/edge/x/../status', '/EDGE/status'])
    assert.is(await status(edge, path), 401, path)
})

test('an open path whose route requires the guard is guarded', async () => {
  assert.is(await status(surfaceOf([route({ path: '/metrics' })], { guard: undefined }), '/metrics'), 401)
})

test('a route that authenticates by itself bypasses the guard for its own methods only', async () => {
  const surface = surfaceOf([route({ auth: 'handler', method: 'POST' })], { guard: undefined })
  const reply = await surface.handle(makeRequest('/x', { method: 'POST' }))
  assert.is(bodyOf(reply)['user'], null)
  assert.is(await status(surface, '/x'), 401)
})

test('with a credential an unknown path gets 404 and an unknown method 405 with Allow', async () => {
  const surface = surfaceOf([route({}), route({ method: 'DELETE' }), route({ path: '/x/:id', method: 'PUT' })])
  const missing = await surface.handle(makeRequest('/nothing'))
  assert.is(missing.status, 404)
  assert.equal(errorOf(missing), { code: 'not_found', message: 'There is nothing at this path.' })
  assert.is(missing.headers!['content-type'], 'application/json')
  for (const method of ['POST', 'OPTIONS', 'BREW', 'constructor']) {
    const wrong = await surface.handle(makeRequest('/x', { method }))
    assert.is(wrong.status, 405, method)
    assert.is(wrong.headers!['allow'], 'GET, HEAD, DELETE')
  }
})

test('parameters are decoded after the guard', async () => {
  const seen: unknown[] = []
  const guard: Guard = (request) => {
    seen.push({ ...request.params })
    return alice
  }
  const surface = surfaceOf([route({ path: '/x/:id' })], { guard })
  assert.equal(bodyOf(await surface.handle(makeRequest('/x/a%20b')))['params'], { id: 'a b' })
  assert.equal(seen, [{ id: 'a%20b' }])
  const bad = await surface.handle(makeRequest('/x/%ff'))
  assert.is(bad.status, 400)
  assert.is(errorOf(bad)['code'], 'malformed_request')
})

test('the type and then the size of a body are checked before the handler runs', async () => {
  let calls = 0
  const body: BodySpec = { type: 'application/json' }
  const handler: Handler = async (request) => {
    calls++
    return json(200, { size: (await request.body()).byteLength })
  }
  const surface = surfaceOf([route({ method: 'POST', body, handler })], { bodyLimit: () => 10 })
  const post = async (text: string, headers: Record<string, string>): Promise<Reply> =>
    await surface.handle(makeRequest('/x', { method: 'POST', body: text, headers }))
  for (const type of ['application/json', 'Application/JSON; charset=utf-8', ' application/json ']) {
    assert.is((await post('{}', { 'content-type': type })).status, 200, type)
  }
  for (const type of ['', 'text/plain', 'application/json-patch+json', 'text/plain; application/json']) {
    const reply = await post('{}', { 'content-type': type })
    assert.is(errorOf(reply)['code'], 'unsupported_media_type', type)
    assert.is(reply.status, 415)
  }
  assert.is((await surface.handle(makeRequest('/x', { method: 'POST' }))).status, 415)
  calls = 0
  for (const coding of ['gzip', 'GZIP, br', 'aws-chunked', '\u001b[2J']) {
    const reply = await post('{}', { 'content-type': 'application/json', 'content-encoding': coding })
    assert.is(reply.status, 415)
    assert.match(String(errorOf(reply)['message']), printable(coding.toLowerCase()))
    assert.is(reply.headers?.['accept-encoding'], 'identity')
  }
  assert.is(calls, 0)
  const plain = { 'content-type': 'application/json', 'content-encoding': 'Identity' }
  assert.is((await post('{}', plain)).status, 200)
  calls = 0
  const large = await surface.handle(postJson('/x', 'x'.repeat(20)))
  assert.is(large.status, 413)
  assert.is(errorOf(large)['code'], 'payload_too_large')
  assert.is(calls, 0, 'a body announced as too large is not read')
  const hidden = await surface.handle(postJson('/x', 'x'.repeat(20), { headers: { 'content-length': '1' } }))
  assert.is(hidden.status, 413)
  assert.is((await post('x'.repeat(20), { 'content-type': 'text/plain' })).status, 415)
})

test('an optional body may be missing, and is checked if it exists', async () => {
  const body: BodySpec = { type: 'application/json', optional: true }
  const surface = surfaceOf([route({ method: 'POST', body })])
  const of = async (headers: Record<string, string>): Promise<number> =>
    (await surface.handle(makeRequest('/x', { method: 'POST', headers }))).status
  assert.is(await of({}), 200)
  assert.is(await of({ 'content-length': '0', 'content-type': 'text/plain' }), 200)
  assert.is(await of({ 'content-length': '2', 'content-type': 'application/json' }), 200)
  assert.is(await of({ 'content-length': '2', 'content-type': 'text/plain' }), 415)
  assert.is(await of({ 'transfer-encoding': 'chunked' }), 415)
})

test('any value that a handler throws gives a 500 that does not show it', async () => {
  const thrown = [
    new Error('hush'),
    'hush',
    null,
    undefined,
    { hush: 1 },
    kernelFail('ERR_KERNEL_STATE', { message: 'hush' }),
  ]
  for (const value of thrown) {
    const now = (): never => {
      throw value
    }
    for (const handler of [now, async () => now(), () => Promise.reject(value)] satisfies Handler[]) {
      log.records.splice(0)
      const reply = await surfaceOf([route({ handler })]).handle(makeRequest('/x'))
      assert.is(reply.status, 500)
      const message = 'Something failed on our side.'
      assert.equal(bodyOf(reply), { error: { code: 'internal_error', message, traceId: 'fresh-id' } })
      assert.not.match(JSON.stringify(reply), /hush|ERR_/)
      assert.is(log.records.length, 1)
      assert.equal(log.records[0]!.fields, { traceId: 'fresh-id', method: 'GET', path: '/x', error: value })
      assert.is(log.records[0]!.level, 'error')
    }
  }
})

test('any value that a guard throws gives a 500 that does not show it', async () => {
  for (const guard of [() => Promise.reject(new Error('hush')), () => JSON.parse('hush')] satisfies Guard[]) {
    const surface = surfaceOf([route({})], { guard })
    for (const target of ['/x', '/nothing']) {
      const reply = await surface.handle(makeRequest(target))
      assert.is(reply.status, 500)
      assert.not.match(String(reply.body), 'hush')
    }
  }
})

test('a 500 has the id of the trace if there is a trace', async () => {
  const traceId = 'ab'.repeat(16)
  const handler: Handler = () => Promise.reject(new Error('no'))
  const hooks = [
    { onRequest: (request: { traceBy: unknown }) => void (request.traceBy = () => ({ traceId, spanId: '' })) },
  ]
  const reply = await surfaceOf([route({ handler })], { hooks }).handle(makeRequest('/x'))
  assert.is(errorOf(reply)['traceId'], traceId)
})

test('an error of a catalogue becomes the answer; its details replace neither code nor message', async () => {
  const details = { pushId: 'p', code: 'x', message: 'y' }
  const handler: Handler = () => {
    throw httpFail('forbidden', { message: 'Not yours.', details, headers: { 'x-a': 'a' } })
  }
  const reply = await surfaceOf([route({ handler })]).handle(makeRequest('/x'))
  assert.is(reply.status, 403)
  assert.equal(bodyOf(reply), { error: { code: 'forbidden', message: 'Not yours.', pushId: 'p' } })
  assert.equal(reply.headers, { 'content-type': 'application/json', 'x-a': 'a' })
  assert.is(log.records.length, 0)
})

test('details that are not JSON give a 500', async () => {
  const handler: Handler = () => {
    throw httpFail('forbidden', { details: { n: 1n } })
  }
  assert.is((await surfaceOf([route({ handler })]).handle(makeRequest('/x'))).status, 500)
})

test('temporary refusals have a Retry-After header', async () => {
  for (const code of ['not_ready', 'overloaded', 'rate_limited'] as const) {
    const fail = (headers?: Record<string, string>): Handler => {
      return () => {
        throw httpFail(code, headers === undefined ? {} : { headers })
      }
    }
    const reply = await surfaceOf([route({ handler: fail() })]).handle(makeRequest('/x'))
    assert.is(reply.headers!['retry-after'], '1')
    const known = await surfaceOf([route({ handler: fail({ 'retry-after': '30' }) })]).handle(makeRequest('/x'))
    assert.is(known.headers!['retry-after'], '30')
  }
  assert.ok(log.records.every(({ level }) => level === 'warn'))
})

test('hooks get every request and every reply with its duration', async () => {
  const seen: unknown[] = []
  const hook = {
    onRequest: (request: { route: string }) => void seen.push(request.route),
    onReply: (request: { route: string }, reply: Reply, ms: number) =>
      void seen.push([request.route, reply.status, ms]),
  }
  const surface = surfaceOf([route({}), route({ path: '/x/:id', handler: async (request) => ok(request) })], {
    hooks: [hook],
  })
  for (const target of ['/x', '/x/1', '/nothing']) await surface.handle(makeRequest(target, { startedMs: 60 }))
  assert.equal(seen, [
    'unmatched',
    ['/x', 200, 40],
    'unmatched',
    ['/x/:id', 200, 40],
    'unmatched',
    ['unmatched', 404, 40],
  ])
})

test('a hook that throws is logged and does not change the reply', async () => {
  const broken = (): never => {
    throw new Error('hook')
  }
  let calls = 0
  const hooks = [{ onRequest: broken, onReply: broken }, { onReply: () => void calls++ }]
  const surface = surfaceOf([route({}), route({ path: '/y', handler: async (request) => ok(request) })], { hooks })
  assert.is(await status(surface, '/x'), 200)
  assert.is(await status(surface, '/y'), 200)
  assert.is(calls, 2)
  assert.equal(log.messages(), Array(4).fill('A hook failed.'))
})

test('a client that disconnects during its body gets 499 and is logged at debug', async () => {
  const gone = new Error('terminated')
  const surface = surfaceOf([
    route({
      handler: () => {
        throw httpFail('client_gone', { cause: gone })
      },
    }),
  ])
  assert.is(await status(surface, '/x'), 499)
  assert.equal(
    log.records.map(({ level, message }) => [level, message]),
    [['debug', 'A client went away before its request was complete.']],
  )
})

test.run()
