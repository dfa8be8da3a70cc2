/** What a plugin did not declare, neither the compiler nor the kernel gives it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'

const test = suite('declared capabilities')

const declares: Plugin = definePlugin({
  name: 'edge.declares',
  feature: 'edge.declares',
  requires: ['TestA'],
  wants: ['TestB'],
  provides: ['TestC'],
  setup(ctx) {
    const a: string = ctx.use('TestA')
    const b: string | undefined = ctx.find('TestB')
    ctx.provide('TestC', `${a}${b ?? ''}`)
  },
})

// The compiler is the test: an error that is expected and does not come fails the check of types.
const undeclared: Readonly<Record<string, Plugin>> = {
  'use of a capability that is only wanted': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    wants: ['TestA'],
    // @ts-expect-error TestA is not in `requires`.
    setup: (ctx) => void ctx.use('TestA'),
  }),
  'find of a capability that is not declared': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    requires: ['TestA'],
    // @ts-expect-error TestB is not in `wants`.
    setup: (ctx) => void ctx.find('TestB'),
  }),
  'later use of a capability that is not declared for that': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    requires: ['TestA'],
    // @ts-expect-error TestA is not in `requiresLater`.
    setup: (ctx) => void ctx.useLater('TestA'),
  }),
  'provision of another capability than the declared one': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    provides: ['TestB'],
    // @ts-expect-error TestC is not in `provides`.
    setup: (ctx) => ctx.provide('TestC', ''),
  }),
}

const later: Plugin = definePlugin({
  name: 'edge.later',
  feature: 'edge.later',
  requiresLater: ['TestA'],
  wantsLater: ['TestB'],
  provides: ['TestC'],
  setup(ctx) {
    const [a, b] = [ctx.useLater('TestA'), ctx.findLater('TestB')]
    ctx.provide('TestC', 'given')
    ctx.onStart(() => ctx.log.info(`${a()}${b() ?? ' alone'}`))
  },
})

// @ts-expect-error A capability that nobody knows cannot be declared.
definePlugin({ name: 'edge.y', feature: 'edge.y', requires: ['Nothing'], setup() {} })

// @ts-expect-error A capability is given as what it is.
definePlugin({ name: 'edge.z', feature: 'edge.z', provides: ['TestA'], setup: (ctx) => ctx.provide('TestA', 1) })

test('what is declared is given', async () => {
  const giver = make('giver', { provides: ['TestA'], setup: (ctx) => ctx.provide('TestA', 'given') })
  const kernel = compose([giver, declares])
  await kernel.start()
  assert.is(kernel.capability('TestC'), 'given')
  await kernel.stop()
})

const serving: Plugin = make('serving', {
  requires: ['TestC'],
  provides: ['TestA'],
  setup: (ctx) => ctx.provide('TestA', ctx.use('TestC')),
})

test('two plugins serve each other where one of them uses the other only from the start on', async () => {
  const log = keepLog()
  const kernel = compose([serving, later], { log })
  await kernel.start()
  assert.ok(log.messages().includes('given alone'), String(log.messages()))
  await kernel.stop()
})

test('what is used later must be provided all the same', () => {
  try {
    compose([later])
    assert.unreachable()
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_CAPABILITY_MISSING'), String(error))
  }
})

test('what is used later is refused while its provider is not set up', async () => {
  const hasty = definePlugin({
    name: 'edge.hasty',
    feature: 'edge.hasty',
    requiresLater: ['TestA'],
    provides: ['TestC'],
    setup: (ctx) => ctx.provide('TestC', ctx.useLater('TestA')()),
  })
  try {
    await compose([serving, hasty]).start()
    assert.unreachable()
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_KERNEL_STATE'), String(error))
  }
})

for (const [name, plugin] of Object.entries(undeclared)) {
  test(`${name} is refused at run time too`, async () => {
    const giver = make('giver', { provides: ['TestA'], setup: (ctx) => ctx.provide('TestA', 'given') })
    const kernel = compose([giver, plugin])
    try {
      await kernel.start()
      assert.unreachable()
    } catch (error) {
      assert.ok(isSvcError(error, 'ERR_CAPABILITY_UNDECLARED'), String(error))
    }
  })
}

test.run()
