import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { LogHub } from '../../../core/log.ts'
import { ToolServerRegistry } from '../../../plugins/probes/tool-servers.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { keepLog } from '../../support/kernels.ts'

type Answer = (signal: AbortSignal) => Response | Promise<Response>

function rig(servers: Record<string, Answer>): {
  registry: ToolServerRegistry
  clock: HeldClock
  results: [string, boolean][]
  log: ReturnType<typeof keepLog>
  asked: string[]
} {
  const clock = new HeldClock()
  const log = keepLog()
  const hub = new LogHub(clock.now)
  hub.attach(log)
  const results: [string, boolean][] = []
  const asked: string[] = []
  const registry = new ToolServerRegistry({
    servers: Object.fromEntries(Object.keys(servers).map((name) => [name, `http://${name}.test/`])),
    clock,
    log: hub.logger('svc::probes::tools'),
    intervalMs: 15_000,
    timeoutMs: 2_000,
    onResult: (name, up) => results.push([name, up]),
    fetch: async (url, { signal, redirect }) => {
      assert.is(redirect, 'manual')
      const name = new URL(url).hostname.replace('.test', '')
      asked.push(name)
      return servers[name]!(signal!)
    },
  })
  return { registry, clock, results, log, asked }
}

const never: Answer = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

test('a server that has not been polled does not count as up', () => {
  const { registry } = rig({ files: never })
  assert.throws(() => registry.check(), /files/)
  assert.is(registry.isUp('files'), undefined)
})

test('a server is up with any status below 500, and down with 500, a failure or no answer', async () => {
  const { registry, clock, results } = rig({
    fine: () => new Response('ok'),
    picky: () => new Response('', { status: 405 }),
    moved: () => new Response('', { status: 302 }),
    broken: () => new Response('', { status: 503 }),
    gone: () => Promise.reject(new TypeError('refused')),
    silent: never,
  })
  registry.start()
  await settle()
  await clock.advance(2_000)
  await settle()
  const up = Object.fromEntries(results)
  assert.equal(up, { fine: true, picky: true, moved: true, broken: false, gone: false, silent: false })
  assert.throws(() => registry.check(), /^no answer from broken, gone, silent$/)
  registry.stop()
  assert.is(clock.pending, 0)
})

test.run()
