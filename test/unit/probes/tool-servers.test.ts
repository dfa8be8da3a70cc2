import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LogHub } from '../../../core/kernel/log.ts'
import { feature as plugin } from '../../../plugins/probes/feature.ts'
import { ToolServerRegistry } from '../../../plugins/probes/tool-servers.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { keepLog } from '../../support/kernels.ts'

const test = suite('probes: tool servers')

/** A registry of servers that answer as `answers` defines. */
function registryOf(answers: Record<string, () => Response | Promise<Response>>) {
  const clock = new HeldClock()
  const log = keepLog()
  const hub = new LogHub(clock.now)
  hub.attach(log)
  const asked: string[] = []
  const results: [string, boolean][] = []
  const registry = new ToolServerRegistry({
    servers: Object.fromEntries(Object.keys(answers).map((name) => [name, `http://${name}/`])),
    clock,
    log: hub.logger('svc::tools'),
    intervalMs: 1_000,
    timeoutMs: 200,
    onResult: (name, up) => void results.push([name, up]),
    fetch: async (url, init) => {
      assert.is(init.redirect, 'manual')
      asked.push(url)
      const answer = answers[new URL(url).hostname]!()
      const gone = new Promise<never>((_, reject) => {
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error))
      })
      return await Promise.race([answer, gone])
    },
  })
  return { registry, clock, log, asked, results }
}

test('the registry polls at the start and in every interval, logs changes and reports results', async () => {
  let status = 404
  const { registry, clock, log, asked, results } = registryOf({ a: () => new Response('', { status }) })
  assert.throws(() => registry.check(), /no answer from a/)
  assert.is(registry.isUp('a'), undefined)
  registry.start()
  await clock.advance(0)
  registry.check()
  assert.is(registry.isUp('a'), true)
  await clock.advance(1_000)
  status = 500
  await clock.advance(1_000)
  assert.is(registry.isUp('a'), false)
  assert.throws(() => registry.check())
  assert.equal(results, [
    ['a', true],
    ['a', true],
    ['a', false],
  ])
  assert.equal(log.messages(), ['A tool server answers.', 'A tool server does not answer.'])
  registry.stop()
  await clock.advance(5_000)
  assert.is(asked.length, 3)
  assert.is(clock.pending, 0)
})

test('a server is up with any status below 500, and down with 500, a failure or no answer in time', async () => {
  const { registry, clock, results } = registryOf({
    fine: () => new Response('ok'),
    picky: () => new Response('', { status: 405 }),
    moved: () => new Response('', { status: 302 }),
    broken: () => new Response('', { status: 503 }),
    gone: () => Promise.reject(new TypeError('refused')),
    silent: () => new Promise(() => undefined),
  })
  registry.start()
  await clock.advance(199)
  assert.is(registry.isUp('fine'), true, 'the silent server does not delay others')
  assert.is(registry.isUp('silent'), undefined)
  await clock.advance(1)
  const up = Object.fromEntries(results)
  assert.equal(up, { fine: true, picky: true, moved: true, broken: false, gone: false, silent: false })
  assert.throws(() => registry.check(), /^no answer from broken, gone, silent$/)
  registry.stop()
  assert.is(clock.pending, 0)
})

test('a stop aborts pending polls, and reports no results of them', async () => {
  const { registry, clock, results } = registryOf({ slow: () => new Promise(() => undefined) })
  registry.start()
  await clock.advance(10)
  registry.stop()
  await clock.advance(10_000)
  assert.equal(results, [])
  assert.is(clock.pending, 0)
})

test('the registry polls nothing and sets no timer if there are no servers', () => {
  const { registry, clock } = registryOf({})
  registry.start()
  registry.check()
  assert.is(clock.pending, 0)
})

test('addresses are http or https, without credentials', () => {
  const setting = plugin.settings!['tools.servers']!
  const good = { a: 'http://127.0.0.1:1/x', b: 'https://tools.example' }
  assert.equal(setting.read(good), good)
  for (const bad of ['ftp://x', 'tools.example', 'http://user:hush@x/', 'http://hush@x', '', 5]) {
    assert.is(setting.read({ a: bad }), undefined, String(bad))
  }
  for (const bad of [null, [], 'http://x']) assert.is(setting.read(bad), undefined)
})

test.run()
