/** A refusal for a timestamp states the difference between the clocks, and which clock is likely wrong. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fromFuture, span, stale } from '../../../plugins/protocol/clocks.ts'

const NOW = Date.UTC(2026, 5, 1)
const MINUTE = 60_000

test('a time span is shown in its two largest units', () => {
  for (const [ms, text] of [
    [0, '0 s'],
    [499, '0 s'],
    [500, '1 s'],
    [59_600, '1 min'],
    [725_000, '12 min 5 s'],
    [3_600_000, '1 h'],
    [3_605_000, '1 h'],
    [90_000_000, '1 day 1 h'],
    [176_400_000, '2 days 1 h'],
    [-5, '0 s'],
  ] as const)
    assert.is(span(ms), text, String(ms))
  fc.assert(fc.property(fc.nat(), (ms) => /^\d+ (?:days?|h|min|s)(?: \d+ (?:h|min|s))?$/.test(span(ms))))
})

test('the error names the clock that is likely wrong', () => {
  const ahead = fromFuture(NOW + 12 * MINUTE, NOW, 5 * MINUTE)
  assert.match(ahead.message, '12 min ahead of the clock of the service, which accepts 5 min')
  assert.match(ahead.hint, /^the clock of the signer is likely wrong/)
  assert.match(fromFuture(NOW, 0, MINUTE).hint, /^the clock of the service is likely wrong/)
  const late = stale(NOW - 11 * MINUTE, NOW, 10 * MINUTE)
  assert.match(late.message, '11 min behind the clock of the service, which accepts 10 min')
  assert.match(late.hint, 'sign again')
  assert.match(stale(0, NOW, MINUTE).hint, /^the clock of the signer is likely wrong/)
})

test.run()
