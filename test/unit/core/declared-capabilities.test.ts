/** A plugin cannot use capabilities that it did not declare: the compiler and the kernel refuse it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { failure, rejection } from '../../support/throws.ts'

const test = suite('declared capabilities')

// These lines are tested by the compiler: a missing expected error fails the type check.
const undeclared: Readonly<Record<string, Plugin>> = {
  'the use of a capability that is only wanted': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    wants: ['TestA'],
    // @ts-expect-error TestA is not in `requires`.
    setup: (ctx) => void ctx.use('TestA'),
  }),
  'the search for a capability that is not declared': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    requires: ['TestA'],
    // @ts-expect-error TestB is not in `wants`.
    setup: (ctx) => void ctx.find('TestB'),
  }),
  'the later use of a capability that is not declared for later use': definePlugin({
    name: 'edge.x',
    feature: 'edge.x',
    requires: ['TestA'],
    // @ts-expect-error TestA is not in `requiresLater`.
    setup: (ctx) => void ctx.useLater('TestA'),
  }),
  'the provision of a capability that is not declared': definePlugin({
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

// @ts-expect-error An unknown capability cannot be declared.
definePlugin({ name: 'edge.y', feature: 'edge.y', requires: ['Nothing'], setup() {} })

// @ts-expect-error A capability must be provided with its type.
definePlugin({ name: 'edge.z', feature: 'edge.z', provides: ['TestA'], setup: (ctx) => ctx.provide('TestA', 1) })

const serving: Plugin = make('serving', {
  requires: ['TestC'],
  provides: ['TestA'],
  setup: (ctx) => ctx.provide('TestA', ctx.use('TestC')),
})

test('two plugins can use each other if one of them uses the other only after the start', async () => {
  const log = keepLog()
  const kernel = compose([serving, later], { log })
  await kernel.start()
  assert.ok(log.messages().includes('given alone'), String(log.messages()))
  await kernel.stop()
})

test('a capability that is used later must be provided too', () => {
  failure('ERR_CAPABILITY_MISSING', () => compose([later]))
})

test('a capability for later use is refused while its provider is not set up', async () => {
  const hasty = definePlugin({
    name: 'edge.hasty',
    feature: 'edge.hasty',
    requiresLater: ['TestA'],
    provides: ['TestC'],
    setup: (ctx) => ctx.provide('TestC', ctx.useLater('TestA')()),
  })
  await rejection('ERR_KERNEL_STATE', compose([serving, hasty]).start())
})

for (const [name, plugin] of Object.entries(undeclared)) {
  test(`${name} is refused at run time too`, async () => {
    const giver = make('giver', { provides: ['TestA'], setup: (ctx) => ctx.provide('TestA', 'given') })
    await rejection('ERR_CAPABILITY_UNDECLARED', compose([giver, plugin]).start())
  })
}

test.run()
