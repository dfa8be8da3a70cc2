import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folderOf, overBudget, spentBy } from './budgets.ts'
import { filesOfShard } from './order.ts'
import { runAll } from './pool.ts'
import { resultOf } from './result.ts'
import { needsNoBuild } from './ships.ts'

const test = suite('runner: order')

test('every file is in one shard, and all shards take about the same time', () => {
  const files = Array.from({ length: 40 }, (_, n) => `${n}.ts`)
  const known = Object.fromEntries(files.map((file, n) => [file, { seconds: n % 7 }]))
  const shards = [1, 2, 3].map((index) => filesOfShard(files, { index, of: 3 }, known))
  assert.equal(shards.flat().sort(), [...files].sort())
  const seconds = shards.map((shard) => shard.reduce((sum, file) => sum + known[file]!.seconds, 0))
  assert.ok(Math.max(...seconds) - Math.min(...seconds) <= 6, seconds.join())
})

test('files that need no build run during the build', async () => {
  const order: string[] = []
  let inFlight = 0
  let mostInFlight = 0
  let built = (): void => undefined
  const run = async (file: string): Promise<ReturnType<typeof resultOf>> => {
    mostInFlight = Math.max(mostInFlight, ++inFlight)
    order.push(file)
    if (file === 'early 2') built()
    await new Promise((resolve) => setImmediate(resolve))
    inFlight--
    return resultOf({ file })
  }
  const plan = {
    early: ['early 1', 'early 2'],
    late: ['late 1', 'late 2'],
    idle: ['idle 1'],
  }
  const build = (): Promise<boolean> =>
    new Promise((resolve) => {
      built = () => resolve(true)
    })
  assert.ok(await runAll(plan, { jobs: 3, build, run }))
  assert.equal(order.slice(0, 2), ['early 1', 'early 2'])
  assert.equal([...order.slice(2, 5)].sort(), ['idle 1', 'late 1', 'late 2'])
  order.length = 0
  assert.not(await runAll(plan, { jobs: 2, build: async () => false, run }))
  assert.equal([...order].sort(), ['early 1', 'early 2'])
  order.length = 0
  mostInFlight = 0
  assert.ok(await runAll(plan, { jobs: 1, build: async () => true, run }))
  assert.is(order.length, 5)
  assert.is(mostInFlight, 1, 'one job is one file at a time')
})

test('tests that need built files are not run during the build', () => {
  for (const file of ['test/unit/core/kernel.test.ts', 'test/fuzz/kbd-1.test.ts']) assert.ok(needsNoBuild(file), file)
  for (const file of ['test/unit/build/plan.test.ts', 'test/e2e/cli.test.ts', 'test/toolkit/golden.test.ts'])
    assert.not(needsNoBuild(file), file)
})

test('a folder over its budget of processor time is reported with both numbers', () => {
  assert.is(folderOf('test/fuzz/auth.test.ts'), 'test/fuzz')
  assert.is(folderOf('test/unit/kbd/deep/fold.test.ts'), 'test/unit/kbd')
  assert.is(folderOf('test/e2e/cli.test.ts'), 'test/e2e')
  const results = [
    resultOf({ file: 'test/fuzz/a.test.ts', processorS: 6 }),
    resultOf({ file: 'test/fuzz/b.test.ts', processorS: 5 }),
    resultOf({ file: 'test/docs/c.test.ts' }),
    resultOf({ file: 'test/new/c.test.ts', processorS: 95 }),
  ]
  const spent = spentBy(results, { 'test/fuzz': 10, 'test/docs': 1 })
  assert.equal(
    spent.map(({ folder, files, seconds }) => [folder, files, seconds]),
    [
      ['test/new', 1, 1.25],
      ['test/fuzz', 2, 2.5],
      ['test/docs', 1, 1.25],
    ],
  )
  assert.equal(overBudget(spent), [
    'test/new took 95 s of processor time, its budget is 90 s (test/runner/budgets.ts)',
    'test/fuzz took 11 s of processor time, its budget is 10 s (test/runner/budgets.ts)',
  ])
  assert.equal(overBudget(spentBy(results, { 'test/fuzz': 11, 'test/new': 95 })), [])
})

test.run()
