/** The lanes of conformance suites lose no failure, and run no more than they should. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLanes } from '../conformance/lanes.ts'

const test = suite('lanes')

/** Steps that record their begin and end, and end when they are told to. */
function recorder() {
  const seen: string[] = []
  const endings = new Map<string, (error?: Error) => void>()
  const step =
    (name: string): (() => Promise<void>) =>
    () =>
      new Promise((resolve, reject) => {
        seen.push(name)
        endings.set(name, (error) => (error === undefined ? resolve() : reject(error)))
      })
  /** Ends a step, and lets everything that follows from this begin. */
  const end = async (name: string, error?: Error): Promise<void> => {
    endings.get(name)!(error)
    await new Promise(setImmediate)
  }
  return { seen, step, end }
}

test('the steps of a call run one after the other, and each failure is the result of its own step', async () => {
  const { seen, step, end } = recorder()
  const [first, second, third] = createLanes(2).add([step('a'), step('b'), step('c')], false)
  const result = first!()
  assert.equal(seen, ['a'])
  // Nobody has asked for this result yet.
  await end('a')
  await end('b', new Error('b is wrong'))
  await end('c')
  assert.equal(seen, ['a', 'b', 'c'])
  await result
  await second!().then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'b is wrong'),
  )
  await third!()
})

test('no more calls run side by side than there are lanes, and the others follow in their order', async () => {
  const { seen, step, end } = recorder()
  const lanes = createLanes(2)
  const results = ['a', 'b', 'c', 'd'].flatMap((name) => lanes.add([step(name)], false))
  assert.equal(seen, [])
  const all = Promise.all(results.map((result) => result()))
  assert.equal(seen, ['a', 'b'])
  await end('b')
  assert.equal(seen, ['a', 'b', 'c'])
  await end('c')
  await end('a')
  await end('d')
  await all
})

test('exclusive calls never run side by side; other calls pass them', async () => {
  const { seen, step, end } = recorder()
  const lanes = createLanes(3)
  const results = ['a', 'b', 'c'].flatMap((name) => lanes.add([step(name)], name !== 'c'))
  const all = Promise.all(results.map((result) => result()))
  assert.equal(seen, ['a', 'c'])
  await end('c')
  assert.equal(seen, ['a', 'c'])
  await end('a')
  assert.equal(seen, ['a', 'c', 'b'])
  await end('b')
  await all
})

test.run()
