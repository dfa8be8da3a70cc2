/** Produces every error code that the core declares. A code that nothing produces must not be declared. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError, type SvcError } from '../../../core/declare/errors.ts'
import type { Plugin, PluginContext } from '../../../core/declare/plugin.ts'
import { integer } from '../../../core/declare/settings.ts'
import { fromFetch } from '../../../core/http/fetch.ts'
import { anonymous } from '../../../core/http/identity.ts'
import { readJson } from '../../../core/http/json-body.ts'
import { json } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { httpFail, kernelFail } from '../../../core/kernel/catalogue.ts'
import { later } from '../../../core/kernel/later.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { compose, make } from '../../support/kernels.ts'
import { errorOf, makeRequest } from '../../support/requests.ts'

const test = suite('core: catalogues')
const route: RouteSpec = { surface: 'runtime', method: 'GET', path: '/x', summary: '' }
const ok = () => json(200, {})
const needs = (setup: (ctx: PluginContext) => void, parts: Partial<Plugin> = {}): Promise<void> =>
  compose([make('a', { ...parts, setup })]).start()
/** Starts a kernel with a route whose `auth` value the compiler would refuse. */
const withAuth = (auth: string): Promise<void> => {
  const spec: RouteSpec = { ...route, ...(JSON.parse(JSON.stringify({ auth })) as object) }
  return needs((ctx) => ctx.route(spec, ok), { routes: [spec] })
}

/** For each code, an action that makes the kernel fail with it. */
const kernelCodes: Record<keyof typeof kernelFail.rows, () => unknown> = {
  ERR_PLUGIN_DUPLICATE: () => compose([make('a'), make('a')]),
  ERR_PLUGIN_CYCLE: () => compose([make('a', { provides: ['TestA'], requires: ['TestA'] })]),
  ERR_PLUGIN_TIMEOUT: async () => {
    const clock = new HeldClock()
    const plugin = make('a', { setup: () => new Promise(() => undefined) })
    const started = compose([plugin], { environment: { clock }, phaseTimeoutMs: 10 }).start()
    started.catch(() => undefined)
    await clock.advance(10)
    await started
  },
  ERR_PLUGIN_FAILED: () =>
    needs(() => {
      throw new Error('no')
    }),
  ERR_CAPABILITY_MISSING: () => compose([make('a', { requires: ['TestA'] })]),
  ERR_CAPABILITY_TWICE: () => compose([make('a', { provides: ['TestA'] }), make('b', { provides: ['TestA'] })]),
  ERR_CAPABILITY_UNDECLARED: () => needs((ctx) => void ctx.use('TestA')),
  ERR_CAPABILITY_NOT_PROVIDED: () => needs(() => undefined, { provides: ['TestA'] }),
  ERR_FEATURE_ABSENT: () => compose([]).capability('TestA'),
  ERR_ROUTE_TWICE: () => {
    const [one, two] = ['/x/:id', '/x/:name'].map((path) => ({ ...route, path })) as [RouteSpec, RouteSpec]
    const setup = (ctx: PluginContext): void => {
      ctx.route(one, ok)
      ctx.route(two, ok)
    }
    return needs(setup, { routes: [one, two] })
  },
  ERR_ROUTE_UNDECLARED: () => needs((ctx) => ctx.route({ ...route }, ok), { routes: [route] }),
  ERR_ROUTE_UNBOUND: () => needs(() => undefined, { routes: [route] }),
  ERR_ROUTE_OPEN: () => {
    const open: RouteSpec = { ...route, auth: 'none' }
    return needs((ctx) => ctx.route(open, ok), { routes: [open] })
  },
  ERR_ROUTE_AUTH: () => withAuth('own'),
  ERR_ROUTE_LIMIT: () => compose([make('a', { routes: [{ ...route, body: { type: 'a/b', limit: 'no.key' } }] })]),
  ERR_GUARD_TWICE: () =>
    needs((ctx) => {
      ctx.guard('runtime', () => anonymous)
      ctx.guard('local', () => anonymous)
      ctx.guard('runtime', () => anonymous)
    }),
  ERR_SETTINGS_INVALID: () => compose([], { given: { server: { max_body_bytes: 'x' } } }),
  ERR_SETTING_TWICE: () => {
    const settings = () => ({ 'a.size': integer({ default: 1, summary: '' }) })
    return compose([make('a', { settings: settings() }), make('b', { settings: settings() })])
  },
  ERR_PART_UNAVAILABLE: later(() => Promise.reject(new Error('no such file'))),
  ERR_KERNEL_STATE: () => compose([]).surface('runtime'),
}

/** Refusals that handlers throw. The core declares them for every plugin, and each gives its status. */
const thrown = (code: keyof typeof httpFail.rows) => (): Promise<number> =>
  answer((_request) => {
    throw httpFail(code)
  })

/** For each code, a request that makes a surface answer with it. */
const httpCodes: Record<keyof typeof httpFail.rows, () => Promise<number>> = {
  malformed_json: () => answer((request) => readJson(request, { '~standard': { validate: (value) => ({ value }) } })),
  malformed_request: () =>
    answer(
      (request) => readJson(request, { '~standard': { validate: () => ({ issues: [{ message: 'no' }] }) } }),
      '{}',
    ),
  credential_missing: () => answer(ok, '', { guarded: false }),
  forbidden: thrown('forbidden'),
  not_found: () => answer(ok, '', { path: '/y' }),
  method_not_allowed: () => answer(ok, '', { method: 'PUT' }),
  length_required: thrown('length_required'),
  payload_too_large: () => answer(ok, 'x'.repeat(3_000)),
  unsupported_media_type: () => answer(ok, '', { type: 'text/plain' }),
  rate_limited: thrown('rate_limited'),
  internal_error: () =>
    answer(() => {
      throw new Error('no')
    }),
  not_ready: thrown('not_ready'),
  overloaded: thrown('overloaded'),
  client_gone: () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new DOMException('', 'AbortError')) })
    const gone = fromFetch(new Request('http://h', { method: 'POST', body, duplex: 'half' } as RequestInit), 0)
    gone.bodyLimit = 1
    return answer(() => gone.body())
  },
}

/** Returns the error with which `produce` fails, synchronously or not. */
async function failureOf(produce: () => unknown): Promise<SvcError> {
  try {
    await produce()
  } catch (error) {
    if (isSvcError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

let lastCode: unknown

/** Sends a POST to a handler in a kernel. Returns the status, and stores the code of the answer in `lastCode`. */
async function answer(
  work: (request: SvcRequest) => unknown,
  body = '',
  parts: { method?: string; path?: string; type?: string; guarded?: boolean } = {},
): Promise<number> {
  const { method = 'POST', path = '/x', type = 'application/json', guarded = true } = parts
  const spec: RouteSpec = { ...route, method: 'POST', body: { type: 'application/json' } }
  const plugin = make('a', {
    routes: [spec],
    setup: (ctx) => {
      if (guarded) ctx.guard('runtime', () => anonymous)
      ctx.route(spec, async (request) => json(200, await work(request)))
    },
  })
  const kernel = compose([plugin], { given: { server: { max_body_bytes: 2_000 } } })
  await kernel.start()
  const reply = await kernel
    .surface('runtime')
    .handle(makeRequest(path, { method, body, headers: { 'content-type': type } }))
  await kernel.stop()
  lastCode = errorOf(reply)['code']
  return reply.status
}

test('every code of the kernel is produced', async () => {
  assert.equal(Object.keys(kernelCodes).toSorted(), Object.keys(kernelFail.rows).toSorted())
  for (const [code, produce] of Object.entries(kernelCodes)) {
    assert.is((await failureOf(produce)).code, code)
    assert.match(code, /^ERR_[A-Z_]+$/)
  }
})

test('every code of a surface is produced, with its status', async () => {
  assert.equal(Object.keys(httpCodes).toSorted(), Object.keys(httpFail.rows).toSorted())
  for (const [code, produce] of Object.entries(httpCodes)) {
    const status = await produce()
    assert.is(lastCode, code)
    assert.is(status, httpFail.rows[code as keyof typeof httpFail.rows].status)
    assert.match(code, /^[a-z_]+$/)
  }
})

test('errors of composition name the plugin at fault', async () => {
  const named: [() => unknown, RegExp][] = [
    [kernelCodes.ERR_CAPABILITY_UNDECLARED, /"a" uses TestA, which is not in its `requires`/],
    [() => needs((ctx) => void ctx.find('TestA')), /"a" uses TestA, which is not in its `wants`/],
    [() => needs((ctx) => ctx.provide('TestA', 'x')), /"a" uses TestA, which is not in its `provides`/],
    [kernelCodes.ERR_CAPABILITY_TWICE, /Both "a" and "b" provide TestA/],
    [kernelCodes.ERR_PLUGIN_DUPLICATE, /"a"/],
    [kernelCodes.ERR_CAPABILITY_NOT_PROVIDED, /"a" declares that it provides TestA/],
    [kernelCodes.ERR_ROUTE_TWICE, /Both "a" and "a" bind runtime GET \/x\/:name/],
    [kernelCodes.ERR_ROUTE_UNDECLARED, /"a" binds runtime GET \/x/],
    [kernelCodes.ERR_ROUTE_UNBOUND, /"a" declares runtime GET \/x/],
    [kernelCodes.ERR_ROUTE_OPEN, /"a" makes runtime GET \/x public, which is no open path/],
    [kernelCodes.ERR_ROUTE_AUTH, /"a" declares runtime GET \/x with the unknown `auth` "own"/],
    [kernelCodes.ERR_GUARD_TWICE, /Both "a" and "a" guard the runtime surface/],
    [kernelCodes.ERR_SETTING_TWICE, /"b" declares a\.size/],
  ]
  for (const [produce, message] of named) {
    const error = await failureOf(produce)
    assert.match(error.message, message)
  }
})

test('an unknown `auth` is refused with the known values, and the former value gets the hint `handler`', async () => {
  assert.match((await failureOf(() => withAuth('own'))).hint ?? '', "'handler'")
  assert.match((await failureOf(() => withAuth('gaurd'))).hint ?? '', 'guard, handler or none')
})

test.run()
