import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMatcher, decodeParams } from '../../../../core/http/match.ts'
import { closedSink, type Reply, type StreamReply } from '../../../../core/http/reply.ts'
import type { Route, RouteSpec } from '../../../../core/http/route.ts'
import { settle } from '../../../support/held-clock.ts'
import { makeRequest } from '../../../support/requests.ts'
import { failure } from '../../../support/throws.ts'

const test = suite('core: matcher')
type Method = RouteSpec['method']

const routeOf = (method: Method, path: string): Route => ({
  surface: 'runtime',
  method,
  path,
  summary: '',
  handler: () => ({ status: 200 }),
})
const entry = (method: Method, path: string, reply: Reply = { status: 200, body: `${method} ${path}` }) => ({
  route: routeOf(method, path),
  run: (): Reply => reply,
})

/** Matches a request against routes. Returns the reply, the found table and the request. */
function ask(routes: ReturnType<typeof entry>[], method: string, path: string) {
  const request = makeRequest(path, { method })
  const table = createMatcher(routes)(request)
  const run = table?.get(method)
  return { reply: run?.(request) as Reply | undefined, table, request }
}

test('a path matches in its exact spelling only', () => {
  const routes = [entry('GET', '/health'), entry('GET', '/runs/:id'), entry('GET', '/runs/:id/stream')]
  for (const path of [
    '/health/',
    '//health',
    '/HEALTH',
    '/healt%68',
    '/runs/',
    '/runs/7/',
    '/runs//stream',
    '/Runs/7',
  ]) {
    const { table, request } = ask(routes, 'GET', path)
    assert.is(table, undefined, path)
    assert.is(request.route, 'unmatched')
  }
})

test('HEAD is GET without a stream, and the stream gets a close event', async () => {
  let closed = 0
  let wrote = true
  const streaming: StreamReply = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    stream: (sink) => {
      const before = closed
      sink.onClose(() => closed++)
      assert.is(closed, before, 'not within the call')
      wrote = sink.write(new Uint8Array(1))
    },
  }
  const { reply } = ask([entry('GET', '/s', streaming)], 'HEAD', '/s')
  assert.equal(reply!.headers, { 'content-type': 'text/event-stream' })
  const ended: string[] = []
  reply!.stream!({ ...closedSink, end: () => void ended.push('end') })
  assert.equal(ended, ['end'], 'only the head of a stream')
  await settle()
  assert.is(closed, 1)
  assert.is(wrote, false)
  const later = { route: routeOf('GET', '/s'), run: async (): Promise<Reply> => streaming }
  const request = makeRequest('/s', { method: 'HEAD' })
  const promised = await createMatcher([later])(request)!.get('HEAD')!(request)
  assert.is.not(promised.stream, streaming.stream)
  assert.is(promised.status, 200)
})

test('parameters are decoded once, and an encoded slash stays within its segment', () => {
  const routes = [entry('GET', '/files/:name'), entry('GET', '/files/:folder/:name')]
  const cases: [string, Record<string, string>][] = [
    ['/files/a%2Fb', { name: 'a/b' }],
    ['/files/%2e%2e%2fetc', { name: '../etc' }],
    ['/files/a%252Fb', { name: 'a%2Fb' }],
    ['/files/a%2F/b', { folder: 'a/', name: 'b' }],
    ['/files/%C3%A9', { name: 'é' }],
    ['/files/a+b', { name: 'a+b' }],
  ]
  for (const [path, params] of cases) {
    const { request } = ask(routes, 'GET', path)
    decodeParams(request)
    assert.equal({ ...request.params }, params, path)
  }
  for (const path of ['/files/%', '/files/%zz', '/files/%ff', '/files/%C3']) {
    const { request } = ask(routes, 'GET', path)
    assert.match(failure('malformed_request', () => decodeParams(request)).message, '"name"')
  }
})

/** A simple matcher that follows the documentation literally. */
function naive(routes: ReturnType<typeof entry>[], method: string, path: string) {
  const fits = (template: string): boolean => {
    if (!template.includes(':')) return template === path
    const [wanted, given] = [template.split('/'), path.split('/')]
    return (
      wanted.length === given.length &&
      wanted.every((part, i) => (part[0] === ':' ? given[i] !== '' : part === given[i]))
    )
  }
  const order = [...new Set(routes.map(({ route }) => route.path))]
  const templates = [...order.filter((path) => !path.includes(':')), ...order.filter((path) => path.includes(':'))]
  const fitting = templates.filter(fits)
  const methodsOf = (template: string): string[] =>
    routes
      .filter(({ route }) => route.path === template)
      .flatMap(({ route: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const winner = fitting.find((template) => methodsOf(template).includes(method))
  if (winner !== undefined) return { template: winner, allow: undefined }
  return { template: fitting[0], allow: new Set(fitting.flatMap(methodsOf)) }
}

test('any table of routes gives the results of the simple matcher', () => {
  const segment = fc.constantFrom('a', 'b', 'a.b', 'a-b', ':x', ':y')
  const path = fc
    .array(segment, { maxLength: 3 })
    .map((parts) => `/${parts.map((part, i) => (part[0] === ':' ? part + i : part)).join('/')}`)
  const route = fc.tuple(fc.constantFrom<Method>('GET', 'POST', 'DELETE'), path)
  const routes = fc.uniqueArray(route, { maxLength: 8, selector: ([method, path]) => `${method} ${path}` })
  const asked = fc
    .array(fc.constantFrom('a', 'b', 'a.b', 'aXb', 'a-b', '', 'q%2Fq'), { maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`)
  const method = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS') },
    fc.constantFrom('get', '__proto__', 'constructor', ''),
  )
  let matched = 0
  fc.assert(
    fc.property(routes, asked, method, (table, path, method) => {
      const entries = table.map(([method, path]) => entry(method, path))
      const expected = naive(entries, method, path)
      const { request, table: found, reply } = ask(entries, method, path)
      assert.is(found === undefined, expected.template === undefined)
      assert.is(request.route, expected.template ?? 'unmatched')
      assert.is(reply !== undefined, expected.template !== undefined && expected.allow === undefined)
      if (reply !== undefined) {
        matched++
        assert.is(reply.body, `${method === 'HEAD' ? 'GET' : method} ${expected.template}`)
        const template = expected.template!.split('/')
        const given = path.split('/')
        for (const [name, value] of Object.entries(request.params))
          assert.is(value, given[template.indexOf(`:${name}`)])
        assert.is(Object.keys(request.params).length, template.filter((part) => part[0] === ':').length)
      } else if (found !== undefined) assert.equal(new Set(found.keys()), expected.allow)
    }),
    { numRuns: 2_000 },
  )
  assert.ok(matched > 100, `only ${matched} requests reached a route`)
})

test.run()
