/** Credentials that end soon are counted at each scrape, and named in the log once a day. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Ending, SOON_MS, watchEndings } from '../../../core/kernel/endings.ts'
import type { Logger } from '../../../core/kernel/log.ts'

const HOUR_MS = 3_600_000

test('what ends within 14 days is a metric, and one line a day that names the soonest', async () => {
  let nowMs = 1_700_000_000_000
  let timer: (() => void) | undefined
  let endings: readonly Ending[] = []
  const lines: Record<string, unknown>[] = []
  const values: number[] = []
  let sample = async (): Promise<void> => {}
  const asked: number[] = []
  const stop = watchEndings({
    clock: {
      now: () => nowMs,
      monotonic: () => nowMs,
      setTimeout: (run, delayMs) => {
        assert.is(delayMs, HOUR_MS)
        timer = run
        return run
      },
      clearTimeout: () => void (timer = undefined),
    },
    log: { warn: (_: string, fields: Record<string, unknown>) => void lines.push(fields) } as unknown as Logger,
    gauge: {
      enabled: true,
      begin: () => {},
      move: () => {},
      set: (_, value) => void values.push(value),
      sample: (run) => {
        sample = async () => run()
      },
    },
    message: 'They end.',
    find: async (untilMs) => {
      asked.push(untilMs - nowMs)
      return endings
    },
  })
  const hours = async (count: number): Promise<void> => {
    for (let hour = 0; hour < count; hour++) {
      nowMs += HOUR_MS
      timer!()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await hours(2)
  assert.equal(lines, [])
  endings = Array.from({ length: 12 }, (_, at) => ({ id: `id-${at}`, endsAtMs: nowMs + (12 - at) * HOUR_MS }))
  await sample()
  assert.equal(values, [12])
  await hours(24)
  assert.is(lines.length, 1)
  assert.is(lines[0]!['count'], 12)
  const soonest = lines[0]!['soonest'] as string[]
  assert.is(soonest.length, 10)
  assert.match(soonest[0]!, /^id-11 2023-/)
  await hours(1)
  assert.is(lines.length, 2, 'the next day')
  assert.ok(asked.every((ms) => ms === SOON_MS))
  stop()
  assert.is(timer, undefined)
})

test.run()
