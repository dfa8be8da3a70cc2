import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyCors, explainPreflights } from '../../../../core/http/cors.ts'
import { createMatcher } from '../../../../core/http/match.ts'
import { empty, errorReply, json, type Reply } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { RouteSpec } from '../../../../core/http/route.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import type { Logger } from '../../../../core/kernel/log.ts'
import { compose, make } from '../../../support/kernels.ts'
import { makeRequest } from '../../../support/requests.ts'

const test = suite('core: CORS')
const origin = 'https://app.example'
const spec = (method: RouteSpec['method'], path: string) => ({
  route: { surface: 'runtime' as const, method, path, summary: '', handler: () => empty(200) },
  run: () => empty(200),
})
const find = createMatcher([spec('GET', '/x'), spec('POST', '/x'), spec('DELETE', '/y/:id')])

/** Handles a request with CORS. The inner handler answers with 401, so that other answers must come from CORS. */
function ask(
  headers: Record<string, string>,
  method = 'GET',
  path = '/x',
  handle: (request: SvcRequest) => Reply | Promise<Reply> = () => json(401, {}, { 'x-own': '1' }),
): Promise<Reply> {
  return Promise.resolve(
    applyCors(
      handle,
      { origins: new Set([origin]), exposes: ['svc-last-event-id'] },
      find,
    )(makeRequest(path, { method, headers })),
  )
}

test('a preflight of a listed origin is answered at once, with the methods of the path', async () => {
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  assert.equal(await ask(headers, 'OPTIONS'), {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '600',
      vary: 'origin',
    },
  })
  assert.is((await ask(headers, 'OPTIONS', '/y/1')).headers!['access-control-allow-methods'], 'DELETE')
  assert.is((await ask(headers, 'OPTIONS', '/nothing')).headers!['access-control-allow-methods'], '')
})

test('a request of another origin, and OPTIONS that is not a preflight, are handled like every request', async () => {
  for (const other of [
    'https://evil.example',
    'https://app.example.evil',
    'null',
    'https://app.example/',
    'HTTPS://APP.EXAMPLE',
  ]) {
    const reply = await ask({ origin: other, 'access-control-request-method': 'GET' }, 'OPTIONS')
    assert.is(reply.status, 401)
    assert.equal(reply.headers, { 'content-type': 'application/json', 'x-own': '1', vary: 'origin' }, other)
  }
  assert.is((await ask({ origin }, 'OPTIONS')).status, 401)
})

test('synchronous and asynchronous replies to a listed origin get the CORS headers', async () => {
  for (const handle of [() => json(200, {}), async () => json(200, {})]) {
    const { headers } = await ask({ origin }, 'GET', '/x', handle)
    assert.is(headers!['access-control-allow-origin'], origin)
    assert.is(headers!['access-control-expose-headers'], 'etag, location, retry-after, svc-last-event-id')
    assert.is(headers!['vary'], 'origin')
    assert.is((await ask({}, 'GET', '/x', handle)).headers!['vary'], 'origin')
  }
})

test('a reply with a Vary header also varies by origin', async () => {
  const handle = (): Reply => empty(200, { vary: 'accept' })
  assert.is((await ask({ origin }, 'GET', '/x', handle)).headers!['vary'], 'accept, origin')
  assert.is((await ask({}, 'GET', '/x', handle)).headers!['vary'], 'accept, origin')
})

test('a reply object that many requests share is not changed', async () => {
  const shared = Object.freeze(json(200, {}))
  const before = JSON.stringify(shared)
  await ask({ origin }, 'GET', '/x', () => shared)
  assert.is(JSON.stringify(shared), before)
})

test('a surface exposes the headers of its routes only', async () => {
  const exposed = async (routes: readonly RouteSpec[]): Promise<string | undefined> => {
    const plugin = make('edge', {
      routes,
      setup: (ctx) => routes.forEach((one) => void ctx.route(one, () => empty(200))),
    })
    const kernel = compose([plugin], { given: { server: { cors_origins: [origin] } } })
    await kernel.start()
    const reply = await kernel.surface('runtime').handle(makeRequest('/a', { headers: { origin } }))
    await kernel.stop()
    return reply.headers!['access-control-expose-headers']
  }
  const route: RouteSpec = { surface: 'runtime', method: 'GET', path: '/a', auth: 'handler', summary: '' }
  assert.is(await exposed([route]), 'etag, location, retry-after')
  const more = { ...route, path: '/b', exposes: ['x-edge'] }
  assert.is(await exposed([{ ...route, exposes: ['x-edge'] }, more]), 'etag, location, retry-after, x-edge')
})

test('a preflight of an origin that is not listed is told what is wrong, and a line of the log names the origin', async () => {
  const lines: unknown[] = []
  let nowMs = 0
  const log = { warn: (_: string, fields: unknown) => void lines.push(fields) } as unknown as Logger
  const refusal = (): Reply => errorReply(httpFail('credential_missing'))
  const handle = explainPreflights(refusal, new Set([origin]), { log, monotonic: () => nowMs })
  const send = async (from: string, method = 'OPTIONS'): Promise<Reply> =>
    handle(makeRequest('/x', { method, headers: { origin: from, 'access-control-request-method': 'POST' } }))
  const reply = await send('https://other.example')
  assert.is(reply.status, 401)
  assert.is(reply.headers!['access-control-allow-origin'], undefined)
  const { error } = JSON.parse(String(reply.body)) as { error: Record<string, string> }
  assert.is(error['code'], 'credential_missing')
  assert.is(error['reason'], 'origin_not_allowed')
  assert.match(error['message']!, 'server.cors_origins')
  assert.equal(lines, [{ origin: 'https://other.example' }])
  await send('https://other.example')
  assert.is(lines.length, 1, 'one line for an origin in a minute')
  nowMs += 60_000
  await send('https://other.example')
  await send('https://third.example')
  assert.is(lines.length, 3)
  await send(`https://${'x'.repeat(10_000)}.example`)
  assert.is((lines[3] as { origin: string }).origin.length, 300)

  // Listed origins and other requests are not touched.
  assert.equal(await send(origin), refusal())
  assert.equal(await send('https://other.example', 'POST'), refusal())
  assert.is(lines.length, 4)
})

test.run()
