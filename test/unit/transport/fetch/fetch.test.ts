import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plugin } from '../../../../core/declare/plugin.ts'
import { anonymous } from '../../../../core/http/identity.ts'
import { json } from '../../../../core/http/reply.ts'
import type { RouteSpec } from '../../../../core/http/route.ts'
import type { LoggedEntry } from '../../../../core/kernel/log.ts'
import { feature as probes } from '../../../../plugins/probes/feature.ts'
import { variant as consoleVariant } from '../../../../plugins/telemetry/logs/console.ts'
import { feature as logs } from '../../../../plugins/telemetry/logs/feature.ts'
import type {} from '../../../../plugins/transport/fetch/capabilities.ts'
import { createRuntime } from '../../../../plugins/transport/fetch/create-runtime.ts'
import { feature as plugin } from '../../../../plugins/transport/fetch/feature.ts'
import { settle } from '../../../support/held-clock.ts'
import { compose, make, registryOf } from '../../../support/kernels.ts'
import { failure, rejection } from '../../../support/throws.ts'

const test = suite('transport: fetch')
const get = (path: string, init?: RequestInit): Request => new Request(`http://host${path}`, init)
const wait: RouteSpec = { surface: 'runtime', method: 'GET', path: '/wait', summary: '' }
const upload: RouteSpec = {
  surface: 'runtime',
  method: 'POST',
  path: '/upload',
  body: { type: 'application/json', optional: true },
  summary: '',
}

/** A plugin whose `/wait` answers after the test calls `go`. */
function waiting(): { plugin: Plugin; go: () => void } {
  let go = (): void => undefined
  const held = new Promise<void>((resolve) => (go = resolve))
  const plugin = make('waiting', {
    routes: [wait, upload],
    setup: (ctx) => {
      ctx.guard('runtime', () => anonymous)
      ctx.route(wait, () => held.then(() => json(200, { done: true })))
      ctx.route(upload, async (request) => json(200, { size: (await request.body()).byteLength }))
    },
  })
  return { plugin, go }
}

test('requests are answered from ready to drain, and get 503 after the stop', async () => {
  const kernel = compose([plugin, probes])
  await kernel.start()
  const fetch = kernel.capability('Fetch')
  assert.is((await fetch(get('/health'))).status, 200)
  assert.is(((await (await fetch(get('/readyz'))).json()) as { status: string }).status, 'ready')
  assert.is((await fetch(get('/nothing'))).status, 401)
  await kernel.stop()
  const after = await fetch(get('/health'))
  assert.is(after.status, 503)
  assert.is(after.headers.get('retry-after'), '1')
  assert.equal(((await after.json()) as { error: { code: string } }).error.code, 'not_ready')
})

test('requests before ready get 503', async () => {
  let early: Response | undefined
  const kernel = compose([
    plugin,
    make('impatient', {
      requires: ['Fetch'],
      setup: (ctx) => ctx.onStart(async () => void (early = await ctx.use('Fetch')(get('/health')))),
    }),
  ])
  await kernel.start()
  assert.is(early!.status, 503)
  await kernel.stop()
})

test('a stop waits for the requests in flight', async () => {
  const held = waiting()
  const kernel = compose([plugin, held.plugin])
  await kernel.start()
  const fetch = kernel.capability('Fetch')
  const both = Promise.all([fetch(get('/wait')), fetch(get('/wait'))])
  await settle()
  let stopped = false
  const stop = kernel.stop().then(() => (stopped = true))
  await settle()
  assert.not.ok(stopped)
  assert.is((await fetch(get('/wait'))).status, 503)
  held.go()
  for (const response of await both) assert.is(response.status, 200)
  await stop
})

test('an optional body of the wrong type is refused, even without a length in the headers', async () => {
  const kernel = compose([plugin, waiting().plugin])
  await kernel.start()
  const fetch = kernel.capability('Fetch')
  const send = (init: RequestInit): Promise<Response> => fetch(get('/upload', { method: 'POST', ...init }))
  assert.is((await send({})).status, 200)
  assert.is((await send({ body: '{}', headers: { 'content-type': 'application/json' } })).status, 200)
  assert.is((await send({ body: '{}' })).status, 415)
  await kernel.stop()
})

test('a runtime starts on the first request, and the request waits for the start', async () => {
  const runtime = createRuntime(registryOf([probes, plugin]), { settings: { probes: { cache_ms: 0 } } })
  const { fetch } = runtime
  assert.is((await fetch(get('/health'))).status, 200)
  await runtime.ready()
  assert.type(runtime.capability('Readiness').add, 'function')
  failure('ERR_FEATURE_ABSENT', () => runtime.capability('TestA'))
  await Promise.all([runtime.close(), runtime.close()])
  assert.is((await fetch(get('/health'))).status, 503)
})

test('a runtime runs nothing of its plugins before ready() or a request, because some platforms allow no timer while modules load', async () => {
  let setUps = 0
  const counted = make('counted', { setup: () => void setUps++ })
  const idle = createRuntime(registryOf([plugin, counted]))
  await settle()
  assert.is(setUps, 0)
  await idle.close()
  assert.is((await idle.fetch(get('/health'))).status, 503)
  assert.is(setUps, 0, 'and nothing runs after it was closed')
  const asked = createRuntime(registryOf([plugin, counted]))
  await Promise.all([asked.fetch(get('/health')), asked.fetch(get('/health')), asked.ready()])
  assert.is(setUps, 1)
  await asked.close()
})

test('a runtime accepts plugins and a log function of the host', async () => {
  const records: LoggedEntry[] = []
  const host = make('host', { setup: (ctx) => ctx.log.info('Hello.') })
  const runtime = createRuntime(registryOf([plugin, logs.with(consoleVariant)]), {
    plugins: [host],
    log: (record) => void records.push(record),
  })
  await runtime.ready()
  assert.equal(
    records.map(({ target, message }) => [target, message]),
    [['svc::host', 'Hello.']],
  )
  await runtime.close()
})

test('all problems of the settings are reported together', () => {
  const error = failure('ERR_SETTINGS_INVALID', () =>
    createRuntime(registryOf([plugin]), { settings: { server: { max_body_bytes: 1, prot: 1 } } }),
  )
  assert.is((error.details!['problems'] as unknown[]).length, 2)
})

test('a start that fails rejects ready and every request, without an unhandled rejection', async () => {
  const broken = make('broken', { setup: () => Promise.reject(new Error('no')) })
  const runtime = createRuntime(registryOf([plugin, broken]))
  await settle()
  await rejection('ERR_PLUGIN_FAILED', runtime.ready())
  await rejection('ERR_PLUGIN_FAILED', runtime.fetch(get('/health')))
  await runtime.close()
})

test('a runtime that is closed during its start answers waiting requests with 503', async () => {
  let go = (): void => undefined
  const slow = make('slow', { setup: () => new Promise<void>((resolve) => (go = resolve)) })
  const runtime = createRuntime(registryOf([plugin, slow]))
  const waitingFor = runtime.fetch(get('/health'))
  const closed = runtime.close()
  await settle()
  go()
  await closed
  assert.is((await waitingFor).status, 503)
  await rejection('ERR_KERNEL_STATE', runtime.ready())
})

test.run()
