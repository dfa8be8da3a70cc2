/** Appends to runs of a cluster whose store is slow: each append is answered in time. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../../core/declare/errors.ts'
import type { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { MemoryRuns, type NodeStore } from '../../support/memory-run-store.ts'
import { owner, started, storedRuns } from './stored-runs.ts'

/** The time in which docs/limits.md promises an answer, in milliseconds. */
const PROMISED_MS = 5_000

/** The store's default limit, in milliseconds. */
const OWN_LIMIT_MS = 4_000

const run_id = 'r'
const said = { type: 'CUSTOM', name: 'said', value: null }

interface Node {
  readonly runs: SharedRuns
  readonly store: NodeStore
}

/**
 * Two nodes with a run that the first has in memory. `byte` is the random byte that decides pauses; by default, each is
 * another one.
 */
async function makeRun(byte?: number): Promise<{ clock: HeldClock; nodes: readonly [Node, Node]; close: () => void }> {
  const clock = new HeldClock()
  const shared = new MemoryRuns()
  let chance = 0
  const nodes = [0, 1].map((): Node => {
    const store = shared.node()
    const randomBytes = (length: number): Uint8Array =>
      Uint8Array.from({ length }, (_, at) => (length === 1 ? (byte ?? chance++ & 255) : (chance++ >> at) & 255))
    return { runs: storedRuns(store, clock, { randomBytes }), store }
  }) as unknown as readonly [Node, Node]
  await nodes[0].runs.create(owner, { run_id })
  await nodes[0].runs.append(owner, run_id, [started, said])
  return { clock, nodes, close: () => nodes.map(({ runs }) => runs.close()) }
}

interface Outcome {
  readonly code: string
  readonly ms: number
}

/** Starts calls together, waits until they end, and returns the outcome and the duration of each by the held clock. */
async function timed(
  clock: HeldClock,
  calls: readonly (() => Promise<unknown>)[],
  stepMs = 50,
): Promise<readonly Outcome[]> {
  const since = clock.monotonic()
  const done: Outcome[] = []
  for (const call of calls) {
    const end = (code: string): void => void done.push({ code, ms: clock.monotonic() - since })
    call().then(
      () => end('written'),
      (error: unknown) => end(error instanceof SvcError ? error.code : String(error)),
    )
  }
  await settle()
  while (done.length < calls.length && clock.monotonic() - since < 60_000) await clock.advance(stepMs)
  assert.is(done.length, calls.length, 'each has an answer')
  return done
}

/** Slows the store down: each call takes the next of the given delays, in milliseconds. */
function slowDown({ store }: Node, clock: HeldClock, delays: readonly number[]): void {
  let calls = 0
  const pass = (ms: number): Promise<void> => new Promise((resolve) => void clock.setTimeout(resolve, ms))
  const next = (): number => delays[calls++ % delays.length]!
  const { read } = store
  store.current = async () => {
    const ms = next()
    await pass(Math.min(ms, OWN_LIMIT_MS))
    if (ms > OWN_LIMIT_MS) throw new Error('no answer')
  }
  store.read = async (run) => {
    await pass(next())
    return read(run)
  }
  store.answer = async (_, limitMs = OWN_LIMIT_MS) => {
    const ms = next()
    await pass(Math.min(ms, limitMs))
    if (ms > limitMs) return { is: 'unknown' }
    return ms % 3 === 0 ? { is: 'moved' } : undefined
  }
}

test('an append is answered in time, however long each call to the store takes', async () => {
  const delay = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9_000 }), fc.constant(60_000))
  await fc.assert(
    fc.asyncProperty(
      fc.array(delay, { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 1 }),
      fc.constantFrom(said, started),
      fc.integer({ min: 1, max: 4 }),
      async (delays, node, event, count) => {
        const { clock, nodes, close } = await makeRun()
        try {
          slowDown(nodes[node]!, clock, delays)
          const { runs } = nodes[node]!
          /** Appends as the route does. */
          const call = async (): Promise<unknown> => {
            const since = clock.monotonic()
            await runs.admit(owner, run_id, 0, since)
            return runs.append(owner, run_id, [event], undefined, since)
          }
          const calls = await timed(
            clock,
            Array.from({ length: count }, () => call),
          )
          for (const { code, ms } of calls) assert.ok(ms <= PROMISED_MS, `${code} after ${ms} ms`)
        } finally {
          close()
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('an append without an answer in time is unknown, and an append that waited for its turn is not written', async () => {
  const { clock, nodes, close } = await makeRun()
  try {
    slowDown(nodes[0], clock, [60_000])
    const append = (): Promise<unknown> => nodes[0].runs.append(owner, run_id, [said])
    const outcomes = await timed(clock, [append, append, append])
    assert.equal(outcomes.map(({ code }) => code).sort(), ['append_unknown', 'overloaded', 'overloaded'])
  } finally {
    close()
  }
})

test('an append is not refused for its order while the store cannot confirm the previous events', async () => {
  const { clock, nodes, close } = await makeRun()
  try {
    slowDown(nodes[0], clock, [60_000])
    const [outcome] = await timed(clock, [() => nodes[0].runs.append(owner, run_id, [started])])
    assert.is(outcome!.code, 'overloaded')
    slowDown(nodes[0], clock, [0])
    const [later] = await timed(clock, [() => nodes[0].runs.append(owner, run_id, [started])])
    assert.is(later!.code, 'run_event_order')
  } finally {
    close()
  }
})

test('a node whose appends are refused without new events reads everything again, and answers "overloaded" within 1 s', async () => {
  const { clock, nodes, close } = await makeRun()
  try {
    const [{ runs, store }] = nodes
    const append = (): Promise<unknown> => runs.append(owner, run_id, [said])
    let read = 0
    store.readAnew = () => void read++
    store.answer = () => ({ is: 'moved' })
    const [outcome] = await timed(clock, [append])
    assert.equal([outcome?.code, read], ['overloaded', 1])
    assert.ok(outcome !== undefined && outcome.ms < 1_000, `after ${outcome?.ms} ms`)
    store.answer = undefined
    assert.is((await timed(clock, [append]))[0]?.code, 'written')
    assert.is((await runs.get(owner, run_id))?.last_seq, 3)
  } finally {
    close()
  }
})

test('an append that always loses against another node pauses for a random time, up to 64 ms, and is refused within 5 s', async () => {
  /** What an append is answered, and the pauses before its attempts but the first, in milliseconds. */
  const race = async (byte: number): Promise<{ outcome: Outcome; pauses: number[] }> => {
    const { clock, nodes, close } = await makeRun(byte)
    try {
      const [{ runs, store }, other] = nodes
      const attempts: number[] = []
      store.answer = async () => {
        attempts.push(clock.monotonic())
        await other.runs.append(owner, run_id, [said])
        return { is: 'moved' }
      }
      const [outcome] = await timed(clock, [() => runs.append(owner, run_id, [said])], 1)
      return { outcome: outcome!, pauses: attempts.slice(1).map((at, index) => at - attempts[index]!) }
    } finally {
      close()
    }
  }
  const [longest, fifth] = [await race(255), await race(51)]
  for (const { outcome } of [longest, fifth]) {
    assert.is(outcome.code, 'overloaded')
    // No attempt begins with less than 1 s of the 4.75 s left.
    assert.ok(outcome.ms >= 3_750 && outcome.ms <= PROMISED_MS, `after ${outcome.ms} ms`)
  }
  const rounded = longest.pauses.map(Math.round)
  assert.equal(rounded.slice(0, 7), [0, 2, 4, 8, 16, 32, 64])
  assert.equal([...new Set(rounded.slice(6))], [64])
  assert.is(Math.round(Math.max(...fifth.pauses)), Math.round(64 / 5))
})

test.run()
