import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { failure, rejection } from '../../support/throws.ts'

const test = suite('core: kernel, when things go wrong')
const never = (): Promise<void> => new Promise(() => undefined)

test('the error of a failing plugin names the plugin, the phase and the reason', async () => {
  for (const phase of ['set-up', 'start', 'ready'] as const) {
    const cause = new Error('no disk')
    const fail = (): never => {
      throw cause
    }
    const kernel = compose([
      make('broken', {
        setup: (ctx) => {
          if (phase === 'set-up') fail()
          if (phase === 'start') ctx.onStart(fail)
          if (phase === 'ready') ctx.onReady(async () => fail())
        },
      }),
    ])
    const error = await rejection('ERR_PLUGIN_FAILED', kernel.start())
    assert.is(error.message, `"broken" failed in its ${phase}: no disk`)
    assert.is(error.cause, cause)
    assert.is(kernel.state, 'stopped')
  }
})

test('a thrown value that is not an Error is reported too', async () => {
  const kernel = compose([
    make('odd', {
      setup: () => {
        throw 'a text'
      },
    }),
  ])
  assert.match((await rejection('ERR_PLUGIN_FAILED', kernel.start())).message, ': a text')
})

test('the first failure in time is reported', async () => {
  const clock = new HeldClock()
  const failsAt = (name: string, ms: number): ReturnType<typeof make> =>
    make(name, {
      setup: () => new Promise((_, reject) => void clock.setTimeout(() => reject(new Error(`${name} failed`)), ms)),
    })
  const kernel = compose([failsAt('late', 20), failsAt('early', 10)], { environment: { clock } })
  const started = kernel.start()
  started.catch(() => undefined)
  await clock.advance(20)
  assert.match((await rejection('ERR_PLUGIN_FAILED', started)).message, '"early"')
})

test('if a start fails, the plugins that were set up are stopped in reverse order', async () => {
  const events: string[] = []
  const stopping = (name: string): ReturnType<typeof make> =>
    make(name, {
      setup: (ctx) => {
        ctx.onStart(() => {
          events.push(`start ${name}`)
          if (name === 'c') throw new Error('no')
        })
        ctx.onStop(() => void events.push(`stop ${name}`))
      },
    })
  const kernel = compose(['a', 'b', 'c', 'd'].map(stopping))
  await rejection('ERR_PLUGIN_FAILED', kernel.start())
  assert.equal(events, ['start a', 'start b', 'start c', 'stop d', 'stop c', 'stop b', 'stop a'])
})

test('dependents of a failed plugin are not set up, and a plugin that is set up late is stopped', async () => {
  const clock = new HeldClock()
  const events: string[] = []
  const kernel = compose(
    [
      make('broken', { provides: ['TestA'], setup: () => Promise.reject(new Error('no')) }),
      make('user', { requires: ['TestA'], setup: () => void events.push('user') }),
      make('slow', {
        setup: async (ctx) => {
          await new Promise<void>((resolve) => void clock.setTimeout(resolve, 100))
          events.push('slow is set up')
          ctx.onStop(() => void events.push('slow is stopped'))
        },
      }),
    ],
    { environment: { clock } },
  )
  const started = kernel.start()
  started.catch(() => undefined)
  await clock.advance(100)
  assert.match((await rejection('ERR_PLUGIN_FAILED', started)).message, '"broken"')
  assert.equal(events, ['slow is set up', 'slow is stopped'])
})

test('a phase that does not end is ended by its deadline', async () => {
  for (const phase of ['set-up', 'start', 'ready'] as const) {
    const clock = new HeldClock()
    const hangs = make('hangs', {
      setup: (ctx) => {
        if (phase === 'set-up') return never()
        if (phase === 'start') ctx.onStart(never)
        if (phase === 'ready') ctx.onReady(never)
        return undefined
      },
    })
    const kernel = compose([hangs], { environment: { clock }, phaseTimeoutMs: 700 })
    let over = false
    const started = kernel.start().finally(() => (over = true))
    started.catch(() => undefined)
    await clock.advance(699)
    assert.not.ok(over)
    await clock.advance(1)
    const error = await rejection('ERR_PLUGIN_TIMEOUT', started)
    assert.is(error.message, `"hangs" did not finish its ${phase} within 700 ms.`)
    assert.ok(error.hint)
    assert.is(clock.pending, 0)
  }
})

test('a drain that does not end is cut off after the grace time; the stop continues and logs it', async () => {
  const clock = new HeldClock()
  const log = keepLog()
  const events: string[] = []
  const kernel = compose(
    [
      make('hangs', {
        setup: (ctx) => {
          ctx.onDrain(never)
          ctx.onStop(() => void events.push('hangs stopped'))
        },
      }),
      make('fails', {
        setup: (ctx) => {
          ctx.onDrain(() => Promise.reject(new Error('no')))
          ctx.onStop(() => {
            throw new Error('no')
          })
        },
      }),
    ],
    { environment: { clock }, given: { server: { shutdown_grace_ms: 3_000 } }, log },
  )
  await kernel.start()
  const stopped = kernel.stop()
  await clock.advance(2_999)
  assert.is(kernel.state, 'draining')
  await clock.advance(1)
  await stopped
  assert.equal(events, ['hangs stopped'])
  assert.equal(log.messages(), ['A plugin did not drain.', 'A plugin did not drain.', 'A plugin did not stop.'])
  assert.is(clock.pending, 0)
})

test('a stop hook that does not end is ended by its deadline', async () => {
  const clock = new HeldClock()
  const events: string[] = []
  const kernel = compose(
    [
      make('first', { setup: (ctx) => ctx.onStop(() => void events.push('first stopped')) }),
      make('hangs', { setup: (ctx) => ctx.onStop(never) }),
    ],
    { environment: { clock }, phaseTimeoutMs: 500 },
  )
  await kernel.start()
  const stopped = kernel.stop()
  await clock.advance(500)
  await stopped
  assert.equal(events, ['first stopped'])
})

test('a second stop waits for the first', async () => {
  let drained = (): void => undefined
  let count = 0
  const kernel = compose([
    make('slow', {
      setup: (ctx) => {
        ctx.onDrain(() => new Promise<void>((resolve) => (drained = resolve)))
        ctx.onStop(() => void count++)
      },
    }),
  ])
  await kernel.start()
  const both = Promise.all([kernel.stop(), kernel.stop()])
  await settle()
  assert.is(count, 0)
  drained()
  await both
  await kernel.stop()
  assert.is(count, 1)
})

test('a stop during the start ends the start, and stops the started plugins', async () => {
  const events: string[] = []
  let go = (): void => undefined
  const kernel = compose([
    make('slow', {
      setup: (ctx) => {
        ctx.onStart(async () => {
          await new Promise<void>((resolve) => (go = resolve))
          events.push('slow started')
        })
        ctx.onStop(() => void events.push('slow stopped'))
      },
    }),
    make('next', { setup: (ctx) => ctx.onStart(() => void events.push('next started')) }),
  ])
  const started = kernel.start()
  started.catch(() => undefined)
  await settle()
  const stopped = kernel.stop()
  await settle()
  assert.equal(events, [])
  go()
  await stopped
  assert.match((await rejection('ERR_KERNEL_STATE', started)).message, 'stopped while it started')
  assert.equal(events, ['slow started', 'slow stopped'])
  assert.is(kernel.state, 'stopped')
})

test('a kernel that never started can be stopped', async () => {
  const kernel = compose([])
  await kernel.stop()
  assert.is(kernel.state, 'stopped')
  await rejection('ERR_KERNEL_STATE', kernel.start())
})

test('a log that cannot be flushed does not block a stop or hide a failure', async () => {
  const clock = new HeldClock()
  const log = keepLog()
  const refusing = compose([], { log: { ...log, flush: () => Promise.reject(new Error('pipe closed')) } })
  await refusing.start()
  await refusing.stop()
  const hanging = compose([make('broken', { setup: () => Promise.reject(new Error('first')) })], {
    log: { ...log, flush: never },
    environment: { clock },
    phaseTimeoutMs: 100,
  })
  const started = hanging.start()
  started.catch(() => undefined)
  await clock.advance(100)
  assert.match((await rejection('ERR_PLUGIN_FAILED', started)).message, 'first')
})

test('a body limit that is not a setting is refused before anything runs', () => {
  const limited = (limit: string): ReturnType<typeof make> =>
    make('limited', {
      routes: [
        {
          surface: 'runtime',
          method: 'POST',
          path: '/x',
          body: { type: 'application/json', limit },
          summary: '',
        },
      ],
    })
  const error = failure('ERR_ROUTE_LIMIT', () => compose([limited('limited.max_bytes')]))
  assert.match(error.message, /"limited" limits the body of POST \/x by limited\.max_bytes/)
  failure('ERR_ROUTE_LIMIT', () => compose([limited('server.cors_origins')]))
  compose([limited('server.max_body_bytes')])
})

test.run()
