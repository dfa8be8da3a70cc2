import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createVerdictCache } from '../../../plugins/auth/guard/verdict-cache.ts'
import { HeldClock } from '../../support/held-clock.ts'

const clock = new HeldClock()

test('a verdict expires by the monotonic clock, even if the wall clock is set back', () => {
  let wallMs = 1_000_000
  let elapsedMs = 0
  const cache = createVerdictCache<string>(10, { now: () => wallMs, monotonic: () => elapsedMs })
  cache.set('a', 'A', { untilMs: 2_000_000, keepForMs: 100 })
  wallMs -= 500_000
  elapsedMs = 99
  assert.is(cache.get('a'), 'A')
  elapsedMs = 100
  assert.is(cache.get('a'), undefined)
})

test('a verdict is valid until its time, exclusive', async () => {
  const clock = new HeldClock(0)
  const cache = createVerdictCache<string>(10, clock)
  cache.set('a', 'A', { untilMs: 100 })
  await clock.advance(99)
  assert.is(cache.get('a'), 'A')
  await clock.advance(1)
  assert.is(cache.get('a'), undefined)
  assert.is(cache.size, 0)
})

test('the number of verdicts is bounded, and used verdicts stay', () => {
  const cache = createVerdictCache<number>(100, clock)
  cache.set('used', -1, {})
  for (let count = 0; count < 10_000; count++) {
    cache.set(`x${count}`, count, {})
    assert.is(cache.get('used'), -1)
    assert.ok(cache.size <= 100, String(cache.size))
  }
  assert.is(cache.get('x9999'), 9_999)
  assert.is(cache.get('x0'), undefined)
})

test('a cache of size 0 and long texts are never cached', () => {
  const none = createVerdictCache<number>(0, clock)
  none.set('a', 1, {})
  assert.is(none.get('a'), undefined)
  const cache = createVerdictCache<number>(2, clock)
  cache.set('x'.repeat(5_000), 1, {})
  assert.is(cache.size, 0)
})

test.run()
