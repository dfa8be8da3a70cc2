import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { ReadinessCheck } from '../../../plugins/probes/api.ts'
import { plugin as probes } from '../../../plugins/probes/plugin.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { compose, keepLog } from '../../support/kernels.ts'
import { bodyOf, makeRequest } from '../../support/requests.ts'
import { failure } from '../../support/throws.ts'

function contributing(check: ReadinessCheck): Plugin {
  return definePlugin({
    name: `with ${check.name}`,
    feature: 'test',
    requires: ['Readiness'],
    setup: (ctx) => ctx.use('Readiness').add(check),
  })
}

interface Report {
  readonly status: number
  readonly body: Record<string, unknown>
}

async function withKernel(
  plugins: readonly Plugin[],
  use: (ask: () => Promise<Report>, clock: HeldClock) => Promise<void>,
): Promise<ReturnType<typeof keepLog>> {
  const clock = new HeldClock()
  const log = keepLog()
  const kernel = compose([probes, ...plugins], { environment: { clock }, log })
  await kernel.start()
  try {
    await use(async () => {
      const reply = await kernel.surface('runtime').handle(makeRequest('/readyz'))
      return { status: reply.status, body: bodyOf(reply) }
    }, clock)
  } finally {
    await kernel.stop()
  }
  return log
}

const ok = (required: boolean): Record<string, unknown> => ({ status: 'ok', required })
const failed = (required: boolean): Record<string, unknown> => ({ status: 'failed', required })

test('a service without a store is ready, with a row for each check', async () => {
  await withKernel([], async (ask) => {
    assert.equal(await ask(), {
      status: 200,
      body: {
        status: 'ready',
        profile: 'test',
        checks: { tool_servers: ok(false), persistence: ok(false), memory: ok(false) },
      },
    })
  })
})

test('a required check that fails makes it 503, and what it threw stays in the log', async () => {
  const persistence = contributing({
    name: 'persistence',
    required: true,
    run: () => {
      throw new Error('disk /srv/private is full')
    },
  })
  const log = await withKernel([persistence], async (ask) => {
    const { status, body } = await ask()
    assert.is(status, 503)
    assert.is(body['status'], 'unavailable')
    assert.equal((body['checks'] as Record<string, unknown>)['persistence'], failed(true))
    assert.not.match(JSON.stringify(body), 'disk')
  })
  const told = log.records.find(({ message }) => message === 'A readiness check failed.')
  const error = told?.fields?.['error']
  assert.match(error instanceof Error ? error.message : '', 'disk /srv/private is full')
})

test('a check that is not required is reported and changes nothing else', async () => {
  const memory = contributing({ name: 'memory', required: false, run: () => Promise.reject(new Error('cold')) })
  await withKernel([memory], async (ask) => {
    const { status, body } = await ask()
    assert.is(status, 200)
    assert.equal((body['checks'] as Record<string, unknown>)['memory'], failed(false))
  })
})

test('a check that hangs is failed after 500 ms, and the result is shared for a second', async () => {
  let runs = 0
  const hanging = contributing({
    name: 'persistence',
    required: true,
    run: () => {
      runs++
      return new Promise(() => undefined)
    },
  })
  await withKernel([hanging], async (ask, clock) => {
    const both = Promise.all([ask(), ask()])
    await clock.advance(499)
    assert.is(await Promise.race([both.then(() => 'answered'), settle().then(() => 'waiting')]), 'waiting')
    await clock.advance(1)
    assert.equal(
      (await both).map(({ status }) => status),
      [503, 503],
    )
    assert.is(runs, 1)
    assert.is((await ask()).status, 503)
    assert.is(runs, 1)
    await clock.advance(999)
    await ask()
    assert.is(runs, 1)
    await clock.advance(1)
    const again = ask()
    await clock.advance(500)
    assert.is((await again).status, 503)
    assert.is(runs, 2)
  })
})

test('addresses of tool servers that are none, or carry a password, are refused', () => {
  const given = { tools: { servers: { a: 'files', b: 'ftp://x', c: 'http://user:pass@x/' } } }
  const error = failure('ERR_SETTINGS_INVALID', () => compose([probes], { given }))
  assert.match(error.message, 'http or https addresses, without credentials')
})

test.run()
