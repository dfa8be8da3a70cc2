/** The verdicts of the soak about errors and memory. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { slopeOf } from './slope.ts'
import { createTally, Wrong } from './tally.ts'

const test = suite('soak: verdicts')
const MIB = 1024 * 1024

const line = (seconds: number, startMiB: number, perMinuteMiB: number): Parameters<typeof slopeOf>[0] =>
  Array.from({ length: seconds }, (_, n) => ({
    atMs: n * 1000,
    // The term `n % 7` simulates the fluctuation of a heap.
    bytes: (startMiB + (n / 60) * perMinuteMiB + (n % 7)) * MIB,
  }))

test('fluctuating memory is flat, growing memory is not, and one minute is too short for a verdict', () => {
  assert.is(slopeOf(line(300, 200, 0)).verdict, 'flat')
  const grown = slopeOf(line(300, 200, 10))
  assert.is(grown.verdict, 'grows')
  assert.ok(Math.abs(grown.kibPerMinute - 10 * 1024) < 200, `${grown.kibPerMinute}`)
  assert.is(slopeOf(line(300, 200, -10)).verdict, 'flat')
  assert.is(slopeOf(line(60, 200, 10)).verdict, 'too short to tell')
  assert.is(slopeOf([]).verdict, 'too short to tell')
})

test('a fault excuses only errors of its kinds that happen during the fault', async () => {
  const { error } = console
  const lines: string[] = []
  console.error = (text: string) => void lines.push(text)
  try {
    const tally = createTally()
    const fail = (kind: string) => tally.count('work', () => Promise.reject(new Wrong(kind)))
    await tally.count('work', async () => 1)
    await fail('503 early')
    assert.is(tally.faults, 1)
    const close = tally.excuse({ name: 'a fault', excuses: /^503/ }, 0)
    await fail('503 within')
    await fail('500 within')
    close()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await fail('503 late')
    assert.is(tally.faults, 3)
    assert.match(tally.table(), /^work +5 +503 within 1 +503 early 1, 500 within 1, 503 late 1$/m)
    assert.is(lines.length, 3)
  } finally {
    console.error = error
  }
})

test.run()
