import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PluginContext } from '../../../core/declare/plugin.ts'
import { integer } from '../../../core/declare/settings.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { failure, rejection } from '../../support/throws.ts'

const test = suite('core: kernel')

/** A plugin that records its phases in `events`. */
function traced(name: string, events: string[], parts: Parameters<typeof make>[1] = {}): ReturnType<typeof make> {
  return make(name, {
    ...parts,
    setup: async (ctx) => {
      events.push(`${name} setup`)
      for (const capability of parts.provides ?? []) ctx.provide(capability, name as never)
      ctx.onStart(() => void events.push(`${name} start`))
      ctx.onReady(() => void events.push(`${name} ready`))
      ctx.onDrain(() => void events.push(`${name} drain`))
      ctx.onStop(() => void events.push(`${name} stop`))
      await parts.setup?.(ctx)
    },
  })
}

test('the phases run in order, and the stop in reverse order', async () => {
  const events: string[] = []
  const kernel = compose([
    traced('user', events, { requires: ['TestA'] }),
    traced('provider', events, { provides: ['TestA'] }),
  ])
  assert.is(kernel.state, 'new')
  const started = kernel.start()
  assert.is(kernel.state, 'starting')
  await started
  assert.is(kernel.state, 'ready')
  const up = ['provider setup', 'user setup', 'provider start', 'user start', 'provider ready', 'user ready']
  assert.equal(events.splice(0), up)
  const stopped = kernel.stop()
  assert.is(kernel.state, 'draining')
  await stopped
  assert.is(kernel.state, 'stopped')
  assert.equal(events, ['provider drain', 'user drain', 'user stop', 'provider stop'])
})

test('independent branches are set up in parallel', async () => {
  // Each plugin waits for the other, so a sequential set-up would never end.
  let left = (): void => undefined
  let right = (): void => undefined
  const leftHere = new Promise<void>((resolve) => (left = resolve))
  const rightHere = new Promise<void>((resolve) => (right = resolve))
  const events: string[] = []
  const meet = async (name: string, say: () => void, other: Promise<void>): Promise<void> => {
    say()
    await other
    events.push(name)
  }
  const kernel = compose([
    make('left', { setup: () => meet('left', () => left(), rightHere) }),
    make('right', { setup: () => meet('right', () => right(), leftHere) }),
  ])
  await kernel.start()
  assert.is(events.length, 2)
  await kernel.stop()
})

test('start and stop follow the order of dependencies, whatever the duration of each set-up', async () => {
  const events: string[] = []
  const clock = new HeldClock()
  const slow = async (): Promise<void> => {
    await new Promise<void>((resolve) => void clock.setTimeout(resolve, 50))
  }
  const kernel = compose([traced('slow', events, { setup: slow }), traced('fast', events)], { environment: { clock } })
  const started = kernel.start()
  await clock.advance(50)
  await started
  assert.equal(events.splice(0).slice(2), ['slow start', 'fast start', 'slow ready', 'fast ready'])
  await kernel.stop()
  assert.equal(events.slice(2), ['fast stop', 'slow stop'])
  assert.is(clock.pending, 0)
})

test('plugins get the capabilities that they declare', async () => {
  const seen: unknown[] = []
  const kernel = compose([
    make('user', {
      requires: ['TestA'],
      wants: ['TestB', 'TestC'],
      setup: (ctx) => void seen.push(ctx.use('TestA'), ctx.find('TestB'), ctx.find('TestC')),
    }),
    make('a', { provides: ['TestA'], setup: (ctx) => ctx.provide('TestA', 'A') }),
    make('b', { provides: ['TestB'], setup: async (ctx) => ctx.provide('TestB', 'B') }),
  ])
  const early = failure('ERR_KERNEL_STATE', () => kernel.capability('TestA'))
  assert.match(early.message, 'once the kernel has started')
  await kernel.start()
  assert.equal(seen, ['A', 'B', undefined])
  assert.is(kernel.capability('TestA'), 'A')
  await kernel.stop()
})

test('the error for an absent capability names the profiles that have it', () => {
  const kernel = compose([], { absent: { capabilities: { TestA: ['server-full'] } } })
  const error = failure('ERR_FEATURE_ABSENT', () => kernel.capability('TestA'))
  assert.match(error.message, 'does not have TestA')
  assert.match(error.hint!, 'server-full')
  assert.equal(error.details, { profiles: ['server-full'] })
  assert.match(failure('ERR_FEATURE_ABSENT', () => kernel.capability('TestB')).hint!, 'No standard profile')
})

test('a plugin gets only the settings that it declares', async () => {
  let seen: PluginContext['settings'] = {}
  const mine = { 'mine.size': integer({ default: 1, summary: '' }) }
  const other = { 'other.size': integer({ default: 2, summary: '' }) }
  const kernel = compose(
    [make('mine', { settings: mine, setup: (ctx) => void (seen = ctx.settings) }), make('other', { settings: other })],
    { given: { mine: { size: 5 } } },
  )
  await kernel.start()
  assert.equal({ ...seen }, { 'mine.size': 5 })
  assert.ok(Object.isFrozen(seen))
  assert.is(kernel.setting('other.size'), 2)
  assert.is(kernel.setting('server.shutdown_grace_ms'), 10_000)
  await kernel.stop()
})

test('surfaces exist from the start on, for plugins and for the embedder', async () => {
  let during: unknown
  let code = ''
  const kernel = compose([
    make('early', {
      setup: (ctx) => {
        code = failure('ERR_KERNEL_STATE', () => ctx.surface('runtime')).code
        ctx.onStart(() => void (during = ctx.surface('local')))
      },
    }),
  ])
  failure('ERR_KERNEL_STATE', () => kernel.surface('runtime'))
  await kernel.start()
  assert.is(code, 'ERR_KERNEL_STATE')
  assert.is(during, kernel.surface('local'))
  await kernel.stop()
})

test('a kernel starts once', async () => {
  const kernel = compose([])
  await kernel.start()
  assert.match((await rejection('ERR_KERNEL_STATE', kernel.start())).message, 'this one is ready')
  await kernel.stop()
  assert.match((await rejection('ERR_KERNEL_STATE', kernel.start())).message, 'this one is stopped')
})

test('early log records wait for the log sink of a plugin', async () => {
  const log = keepLog()
  const kernel = compose(
    [
      make('talker', { setup: (ctx) => ctx.log.info('Hello.', { n: 1 }) }),
      make('log', {
        provides: ['LogSink'],
        setup: async (ctx) => {
          ctx.log.debug('Before.')
          ctx.provide('LogSink', log)
        },
      }),
    ],
    { fallbackLog: { enabled: () => true, write: () => assert.unreachable('the profile has a log of its own') } },
  )
  await kernel.start()
  assert.equal(log.messages().toSorted(), ['Before.', 'Hello.'])
  assert.is(log.records.find(({ message }) => message === 'Hello.')!.target, 'svc::talker')
  await kernel.stop()
})

test('the option `log` replaces the log of the profile, and `fallbackLog` is used if there is none', async () => {
  const talker = make('a.b-c', { setup: (ctx) => ctx.log.warn('Here.') })
  const own = make('log', {
    provides: ['LogSink'],
    setup: (ctx) => ctx.provide('LogSink', { enabled: () => true, write: () => assert.unreachable() }),
  })
  for (const [plugins, option] of [
    [[talker, own], 'log'],
    [[talker], 'fallbackLog'],
  ] as const) {
    const log = keepLog()
    const kernel = compose(plugins, { [option]: log })
    await kernel.start()
    assert.equal(
      log.records.map(({ target, message }) => [target, message]),
      [['svc::a::b::c', 'Here.']],
    )
    await kernel.stop()
  }
})

test.run()
