/** A fuzzer tries as many inputs as the environment says, and a failure prints what is needed to repeat it. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runs } from './runs.ts'

const test = suite('fuzz: runs')
const VARIABLES = ['SVC_TEST_DEEP', 'SVC_FUZZ_RUNS', 'SVC_FUZZ_SEED', 'SVC_FUZZ_PATH'] as const
const kept = VARIABLES.map((name) => [name, process.env[name]] as const)

function set(values: Partial<Record<(typeof VARIABLES)[number], string>>): void {
  for (const name of VARIABLES) delete process.env[name]
  Object.assign(process.env, values)
}

test.after.each(() => {
  for (const [name, value] of kept) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

test('a fuzzer tries 250 inputs, or as many as the environment says', () => {
  set({})
  assert.equal(runs(), { numRuns: 250 })
  set({ SVC_TEST_DEEP: '1' })
  assert.equal(runs(), { numRuns: 2_000 })
  set({ SVC_FUZZ_RUNS: '100000', SVC_FUZZ_SEED: '', SVC_FUZZ_PATH: '' })
  assert.equal(runs(), { numRuns: 100_000 })
  set({ SVC_FUZZ_RUNS: 'many' })
  assert.throws(runs, /SVC_FUZZ_RUNS wants a positive integer, got "many"/)
})

test('a failure names its seed and path, which repeat the same input', () => {
  const fail = (): { text: string; begins: number } => {
    const tried: number[] = []
    try {
      fc.assert(
        fc.property(fc.nat(), (value) => {
          tried.push(value)
          assert.ok(value < 1_000, `value ${value}`)
        }),
        runs(),
      )
    } catch (error) {
      return { text: (error as Error).message, begins: tried[0]! }
    }
    throw new Error('it should have failed')
  }
  set({})
  const first = fail()
  const [, seed, path] = /seed: (-?\d+), path: "([\d:]+)"/.exec(first.text)!
  set({ SVC_FUZZ_SEED: seed!, SVC_FUZZ_PATH: path! })
  const again = fail()
  assert.is(again.begins, 1_000)
  assert.match(first.text, 'Counterexample: [1000]')
  assert.match(again.text, 'Counterexample: [1000]')
})

test.run()
