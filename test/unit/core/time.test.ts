import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock, systemRandom } from '../../../core/kernel/environment.ts'
import { withDeadline } from '../../../core/kernel/phase.ts'
import { HeldClock } from '../../support/held-clock.ts'

const test = suite('core: time and chance')
const late = (): Error => new Error('late')
const reason = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message)

test('synchronous work sets no timer', async () => {
  const clock = new HeldClock()
  assert.is(await withDeadline(clock, 10, () => 5, late), 5)
  assert.is(await withDeadline(clock, 10, () => null, late), null)
  const broken = (): never => {
    throw new Error('broken')
  }
  assert.is(await reason(withDeadline(clock, 10, broken, late)), 'broken')
  assert.is(clock.pending, 0)
})

test('work in time gives its result or failure, and clears the timer', async () => {
  const clock = new HeldClock()
  const after = (ms: number, fails = false): Promise<string> =>
    new Promise(
      (resolve, reject) => void clock.setTimeout(() => (fails ? reject(new Error('no')) : resolve('yes')), ms),
    )
  const good = withDeadline(clock, 10, () => after(9), late)
  const bad = reason(withDeadline(clock, 10, () => after(9, true), late))
  await clock.advance(9)
  assert.is(await good, 'yes')
  assert.is(await bad, 'no')
  assert.is(clock.pending, 0)
})

test('late work is a timeout, and its later rejection is not unhandled', async () => {
  const clock = new HeldClock()
  let fail = (_: Error): void => undefined
  const result = reason(withDeadline(clock, 10, () => new Promise<void>((_, reject) => (fail = reject)), late))
  await clock.advance(10)
  assert.is(await result, 'late')
  fail(new Error('much later'))
  await clock.advance(1)
})

test('a foreign thenable is awaited too', async () => {
  const clock = new HeldClock()
  // biome-ignore lint/suspicious/noThenProperty: the test needs a foreign promise
  const foreign = { then: () => undefined } as unknown as Promise<void>
  const result = reason(withDeadline(clock, 10, () => foreign, late))
  await clock.advance(10)
  assert.is(await result, 'late')
})

test('the system clock has real time and real timers', async () => {
  assert.ok(Math.abs(systemClock.now() - Date.now()) < 1_000)
  const from = systemClock.monotonic()
  systemClock.clearTimeout(systemClock.setTimeout(() => assert.unreachable(), 1))
  // Timers of the system clock do not keep the process alive, so another timer must.
  const alive = setInterval(() => undefined, 1_000)
  await new Promise<void>((resolve) => void systemClock.setTimeout(resolve, 5))
  clearInterval(alive)
  assert.ok(systemClock.monotonic() - from >= 4)
})

test('random bytes have the requested length, and random ids are unique version 4 UUIDs', () => {
  assert.is(systemRandom.bytes(20).byteLength, 20)
  const ids = Array.from({ length: 200 }, () => systemRandom.uuid())
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.is(new Set(ids).size, 200)
})

test.run()
