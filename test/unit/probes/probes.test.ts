import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Reply } from '../../../core/http/reply.ts'
import type { Kernel } from '../../../core/kernel/kernel.ts'
import { feature as plugin } from '../../../plugins/probes/feature.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { bodyOf, makeRequest } from '../../support/requests.ts'

const test = suite('probes')

/** Starts the probes with a clock that the test controls. */
async function start(given: Record<string, unknown> = {}) {
  const clock = new HeldClock()
  const log = keepLog()
  const kernel = compose([plugin], { environment: { clock }, log, given })
  await kernel.start()
  return { kernel, clock, log, readiness: kernel.capability('Readiness') }
}
const ask = async (kernel: Kernel, path: string): Promise<Reply> =>
  await kernel.surface('runtime').handle(makeRequest(path))

test('liveness answers at once, whatever the results of the checks are', async () => {
  const { kernel, readiness } = await start()
  readiness.add({ name: 'store', required: true, run: () => Promise.reject(new Error('down')) })
  for (const path of ['/health', '/healthz']) {
    const reply = kernel.surface('runtime').handle(makeRequest(path)) as Reply
    assert.is(reply.status, 200)
    assert.equal(bodyOf(reply), { status: 'ok' })
    assert.is(reply.headers!['cache-control'], 'no-store')
  }
  await kernel.stop()
})

test('the service is ready without checks, and with checks that pass', async () => {
  const { kernel, readiness } = await start()
  const fine = { status: 'ok', required: false }
  const idle = { tool_servers: fine, persistence: fine, memory: fine }
  assert.equal(bodyOf(await ask(kernel, '/readyz')), { status: 'ready', profile: 'test', checks: idle })
  readiness.add({ name: 'authority', required: true, run: async () => undefined })
  const checks = { ...idle, authority: { status: 'ok', required: true } }
  const reply = await ask(kernel, '/readyz')
  assert.is(reply.status, 200)
  assert.equal(bodyOf(reply), { status: 'ready', profile: 'test', checks })
  await kernel.stop()
})

test('a required check that fails gives 503, an optional one does not, and the reason is only in the log', async () => {
  const { kernel, clock, log, readiness } = await start()
  const fail = (): never => {
    throw new Error('hush: /var/lib/secret')
  }
  readiness.add({ name: 'search', required: false, run: fail })
  const first = await ask(kernel, '/readyz')
  assert.is(first.status, 200)
  assert.equal((bodyOf(first)['checks'] as Record<string, unknown>)['search'], { status: 'failed', required: false })
  readiness.add({ name: 'store', required: true, run: async () => fail() })
  await clock.advance(2_000)
  const second = await ask(kernel, '/readyz')
  assert.is(second.status, 503)
  assert.is(bodyOf(second)['status'], 'unavailable')
  assert.not.match(String(second.body), 'hush')
  assert.is(log.records.filter(({ message }) => message === 'A readiness check failed.').length, 3)
  await kernel.stop()
})

test('a check times out after half a second', async () => {
  const { kernel, clock, readiness } = await start()
  readiness.add({ name: 'store', required: true, run: () => new Promise(() => undefined) })
  let reply: Reply | undefined
  void ask(kernel, '/readyz').then((value) => (reply = value))
  await clock.advance(499)
  assert.is(reply, undefined)
  await clock.advance(1)
  assert.is(reply!.status, 503)
  await kernel.stop()
  assert.is(clock.pending, 0)
})

test('a result is shared while the checks run, and for one second after they end', async () => {
  const { kernel, clock, readiness } = await start({ 'probes.check_timeout_ms': 5_000 })
  let runs = 0
  let done = (): void => undefined
  readiness.add({
    name: 'store',
    required: true,
    run: () => {
      runs++
      return new Promise<void>((resolve) => (done = resolve))
    },
  })
  const all = [ask(kernel, '/readyz'), ask(kernel, '/readyz')]
  await clock.advance(3_000)
  all.push(ask(kernel, '/readyz'))
  await settle()
  assert.is(runs, 1, 'one run at a time')
  done()
  for (const reply of await Promise.all(all)) assert.is(reply.status, 200)
  await clock.advance(999)
  await ask(kernel, '/readyz')
  assert.is(runs, 1)
  await clock.advance(1)
  const again = ask(kernel, '/readyz')
  await settle()
  assert.is(runs, 2)
  done()
  await again
  await kernel.stop()
})

test('a reported change runs the checks at once', async () => {
  const { kernel, readiness } = await start()
  let isThere = true
  const run = (): void => {
    if (!isThere) throw new Error('away')
  }
  readiness.add({ name: 'store', required: true, run })
  assert.is((await ask(kernel, '/readyz')).status, 200)
  isThere = false
  assert.is((await ask(kernel, '/readyz')).status, 200, 'no time has passed')
  readiness.changed()
  assert.is((await ask(kernel, '/readyz')).status, 503)
  await kernel.stop()
})

test('an added check runs at once, and a second check with the same name is refused', async () => {
  const { kernel, readiness } = await start()
  await ask(kernel, '/readyz')
  readiness.add({ name: 'a', required: true, run: () => Promise.reject(new Error('down')) })
  assert.is((await ask(kernel, '/readyz')).status, 503)
  assert.throws(() => readiness.add({ name: 'a', required: true, run: () => undefined }), /"a"/)
  await kernel.stop()
})

test('the check of a plugin replaces the default entry of the same name', async () => {
  const store = make('store', {
    requires: ['Readiness'],
    setup: (ctx) => ctx.use('Readiness').add({ name: 'persistence', required: true, run: () => undefined }),
  })
  const kernel = compose([plugin, store])
  await kernel.start()
  const checks = bodyOf(await ask(kernel, '/readyz'))['checks'] as Record<string, unknown>
  assert.equal(checks['persistence'], { status: 'ok', required: true })
  await kernel.stop()
})

test.run()
