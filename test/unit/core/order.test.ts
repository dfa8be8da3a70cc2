import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CapabilityName, Plugin } from '../../../core/declare/plugin.ts'
import { orderPlugins } from '../../../core/kernel/order.ts'
import { make } from '../../support/kernels.ts'
import { failure } from '../../support/throws.ts'

const test = suite('core: order')
const names = (plugins: readonly Plugin[]): string[] => orderPlugins(plugins).map(({ plugin }) => plugin.name)

test('providers come before users, and otherwise the given order is kept', () => {
  const plugins = [
    make('x'),
    make('user', { requires: ['TestA'] }),
    make('y'),
    make('provider', { provides: ['TestA'] }),
    make('z'),
  ]
  assert.equal(names(plugins), ['x', 'provider', 'user', 'y', 'z'])
})

test('providers of wanted capabilities come before too, and may be missing', () => {
  const wanting = make('wanting', { wants: ['TestA', 'TestB'] })
  assert.equal(names([wanting, make('a', { provides: ['TestA'] })]), ['a', 'wanting'])
  assert.equal(names([wanting]), ['wanting'])
  assert.equal(names([make('self', { wants: ['TestA'], provides: ['TestA'] })]), ['self'])
})

test('the log comes first, after its own dependencies', () => {
  const log = make('log', { provides: ['LogSink'], requires: ['TestA'] })
  assert.equal(names([make('x'), log, make('a', { provides: ['TestA'] })]), ['a', 'log', 'x'])
})

test('a cycle is printed as a cycle', () => {
  const error = failure('ERR_PLUGIN_CYCLE', () =>
    orderPlugins([
      make('outside', { requires: ['TestA'] }),
      make('a', { provides: ['TestA'], requires: ['TestB'] }),
      make('b', { provides: ['TestB'], wants: ['TestC'] }),
      make('c', { provides: ['TestC'], requires: ['TestA'] }),
    ]),
  )
  assert.match(error.message, /: a → b → c → a\.$/)
  const self = failure('ERR_PLUGIN_CYCLE', () =>
    orderPlugins([make('a', { provides: ['TestA'], requires: ['TestA'] })]),
  )
  assert.match(self.message, /: a → a\.$/)
})

test('the error for a missing provider names the plugin, the capability and the profiles that have it', () => {
  const lonely = [make('lonely', { requires: ['TestA'] })]
  const error = failure('ERR_CAPABILITY_MISSING', () => orderPlugins(lonely, { TestA: ['server-full', 'minimal'] }))
  assert.match(error.message, '"lonely" requires TestA')
  assert.match(error.hint!, 'server-full, minimal')
  assert.match(failure('ERR_CAPABILITY_MISSING', () => orderPlugins(lonely)).hint!, 'Add the feature')
})

test('any graph without a cycle is ordered so that each plugin comes after its dependencies', () => {
  // Plugin i may need any plugin with a smaller number, so that the graph has no cycle. Then the plugins are shuffled.
  const graph = fc.integer({ min: 1, max: 9 }).chain((size) =>
    fc
      .tuple(...Array.from({ length: size }, (_, index) => fc.subarray(Array.from({ length: index }, (_, i) => i))))
      .chain((needs) => {
        const plugins = needs.map((of, index) =>
          make(`p${index}`, {
            provides: [`C${index}` as CapabilityName],
            requires: of.filter((n) => n % 2 === 0).map((n) => `C${n}` as CapabilityName),
            wants: of.filter((n) => n % 2 === 1).map((n) => `C${n}` as CapabilityName),
          }),
        )
        return fc.shuffledSubarray(plugins, { minLength: size })
      }),
  )
  fc.assert(
    fc.property(graph, (plugins) => {
      const ordered = orderPlugins(plugins)
      assert.is(ordered.length, plugins.length)
      const done = new Set<Plugin>()
      for (const { plugin, after } of ordered) {
        const needed = [...(plugin.requires ?? []), ...(plugin.wants ?? [])]
        assert.equal(new Set(after.flatMap(({ provides = [] }) => provides)), new Set(needed))
        for (const other of after) assert.ok(done.has(other), `${other.name} before ${plugin.name}`)
        done.add(plugin)
      }
    }),
  )
})

test.run()
