import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createVerdictCache } from '../../../plugins/auth/guard/verdict-cache.ts'

test('a verdict holds until its time, exclusively', () => {
  const cache = createVerdictCache<string>(10)
  cache.set('a', { value: 'A', untilMs: 100 })
  assert.is(cache.get('a', 99), 'A')
  assert.is(cache.get('a', 100), undefined)
  assert.is(cache.size, 0)
})

test('the number of verdicts is bounded, and what is used stays', () => {
  const cache = createVerdictCache<number>(100)
  cache.set('used', { value: -1, untilMs: 1 })
  for (let count = 0; count < 10_000; count++) {
    cache.set(`x${count}`, { value: count, untilMs: 1 })
    assert.is(cache.get('used', 0), -1)
    assert.ok(cache.size <= 100, String(cache.size))
  }
  assert.is(cache.get('x9999', 0), 9_999)
  assert.is(cache.get('x0', 0), undefined)
})

test('a cache of no entries remembers nothing, and no text is too long for the others', () => {
  const none = createVerdictCache<number>(0)
  none.set('a', { value: 1, untilMs: 1 })
  assert.is(none.get('a', 0), undefined)
  const cache = createVerdictCache<number>(2)
  cache.set('x'.repeat(5_000), { value: 1, untilMs: 1 })
  assert.is(cache.size, 0)
})

test('clearing forgets all', () => {
  const cache = createVerdictCache<number>(4)
  for (const text of ['a', 'b', 'c', 'd']) cache.set(text, { value: 1, untilMs: 9 })
  cache.clear()
  for (const text of ['a', 'b', 'c', 'd']) assert.is(cache.get(text, 0), undefined)
})

test.run()
