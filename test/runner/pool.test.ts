/** The pool runs every file once, keeps to its places, and begins more files only while the processors are idle. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Plan, runAll } from './pool.ts'

const test = suite('pool')

/** Runs a plan. The build and each file end only when the test says so. */
function started(plan: Plan, jobs: number, idle = 0) {
  const endings = new Map<string, (isDone?: boolean) => void>()
  const begun: string[] = []
  const until = (name: string): Promise<boolean> =>
    new Promise((resolve) => {
      begun.push(name)
      endings.set(name, (isDone = true) => resolve(isDone))
    })
  const machine = { idle }
  const done = runAll(plan, {
    jobs,
    build: () => until('build'),
    run: async ([file = '']) => void (await until(file)),
    idleShare: () => machine.idle,
    lookMs: 1,
  })
  /** Ends the build or a file, and lets everything that follows from this begin. */
  const end = async (name: string, isDone?: boolean): Promise<void> => {
    endings.get(name)!(isDone)
    await looks(1)
  }
  return { begun, machine, done, end }
}

/** Waits for looks at the processors. */
const looks = async (count: number): Promise<void> => {
  for (let look = 0; look < count; look++) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('the build takes a place; late files begin after it, and before the early ones that are left', async () => {
  const { begun, done, end } = started({ early: [['a'], ['b']], late: [['c'], ['d']] }, 2)
  assert.equal(begun, ['build', 'a'])
  await end('build')
  assert.equal(begun, ['build', 'a', 'c'])
  await end('a')
  await end('c')
  assert.equal(begun, ['build', 'a', 'c', 'd', 'b'])
  await end('d')
  await end('b')
  assert.is(await done, true)
})

test('after a failed build only early files run', async () => {
  const { begun, done, end } = started({ early: [['a']], late: [['c']] }, 1)
  await end('build', false)
  await end('a')
  assert.is(await done, false)
  assert.equal(begun, ['build', 'a'])
})

test('another file begins at each look at idle processors, up to two for each place, and none while they are busy', async () => {
  const files = Array.from({ length: 20 }, (_, n) => `${n}`)
  const { begun, machine, done, end } = started({ early: [], late: files.map((file) => [file]) }, 2)
  await end('build')
  await looks(4)
  assert.is(begun.length, 1 + 2)
  machine.idle = 1
  await looks(20)
  assert.is(begun.length, 1 + 4)
  machine.idle = 0
  await end('0')
  await looks(4)
  assert.is(begun.length, 1 + 4, 'more than the places are at work')
  for (let n = 1; n < files.length; n++) await end(`${n}`)
  assert.is(await done, true)
  assert.equal(begun.slice(1), files)
})

test('with one place, files never run side by side', async () => {
  const { begun, done, end } = started({ early: [], late: [['a'], ['b']] }, 1, 1)
  await end('build')
  await looks(4)
  assert.equal(begun, ['build', 'a'])
  await end('a')
  await end('b')
  assert.is(await done, true)
})

test.run()
