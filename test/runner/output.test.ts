import { availableParallelism } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandsNotRun } from '../support/page-commands/not-run.ts'
import { readArguments } from './arguments.ts'
import { toLine } from './progress.ts'
import { toDetails, toNotes, toSlowest, toSummary, toTable } from './report.ts'
import { resultOf as result } from './result.ts'

const test = suite('runner: output')

test('the last line counts skips only if there are any', () => {
  assert.is(toSummary([result({ passed: 2 }), result({ passed: 1, failed: 3 })]), '3 passed, 3 failed')
  assert.is(toSummary([result({ passed: 2 })], 1), '2 passed, 1 failed')
  assert.is(toSummary([result({ passed: 2, skipped: 1 })]), '2 passed, 0 failed, 1 skipped')
})

test('the table has a line for each file', () => {
  const lines = toTable([
    result({ passed: 2, processorS: 0.42 }),
    result({ file: 'test/b/c.test.ts', failed: 10 }),
  ]).split('\n')
  assert.equal(lines, [
    'file              passed  failed  skipped   time  processor',
    'test/a.test.ts         2       0        0  1.3 s      0.4 s',
    'test/b/c.test.ts       0      10        0  1.3 s          -',
  ])
})

test('details are printed for failures; skips and retries are printed with their reasons', () => {
  assert.is(toDetails(result({ passed: 1, output: 'quiet' })), '')
  assert.match(toDetails(result({ failed: 1, output: 'loud', problems: ['bad'] })), /test\/a\.test\.ts\nloud\n {2}bad/)
  assert.is(
    toNotes([result({ skips: ['x: why'] }), result({ retries: ['late'] })]),
    'tried again: test/a.test.ts: late\nskipped: test/a.test.ts: x: why',
  )
})

test('the slowest files are listed if many files ran', () => {
  const results = Array.from({ length: 21 }, (_, n) => result({ file: `test/${n}.test.ts`, durationMs: 1_000 * n }))
  assert.is(toSlowest(results.slice(1)), '')
  const lines = toSlowest(results).split('\n')
  assert.is(lines.length, 21)
  assert.is(lines[0], 'the 20 slowest of 21 files (210.0 s together)')
  assert.is(lines[1], '   20.0 s   9.5 %  test/20.test.ts')
  assert.is(lines.at(-1), '    1.0 s   0.5 %  test/1.test.ts')
})

test('a line of progress has the number of files done, the time and the running files', () => {
  const running = ['test/unit/kbd/fold.test.ts', 'test/fuzz/auth.test.ts']
  assert.is(
    toLine({ done: 12, total: 270, elapsedMs: 64_900, running }),
    '12 of 270 files, 1:04: unit/kbd/fold, fuzz/auth',
  )
  assert.is(toLine({ done: 270, total: 270, elapsedMs: 600_000, running: [] }), '270 of 270 files, 10:00')
})

test('the command line is read', () => {
  const line = commandsNotRun('CONTRIBUTING.md', 'node_modules/').find((one) => one.includes('--grep'))!
  const [, words] = / test\/run\.ts (.*?) +#/.exec(line)!
  assert.is(readArguments(words!.replaceAll("'", '').split(' '))?.grep, 'preflight')
  const read = readArguments(['unit', '--grep', 'x', '--jobs', '3', '--timeout-ms', '5'])
  const rest = { build: false, deep: false, shard: undefined }
  assert.equal(read, { only: ['unit'], grep: 'x', jobs: 3, timeoutMs: 5, ...rest })
  assert.is(readArguments([])?.jobs, availableParallelism())
  const deep = readArguments(['--build', '--deep', '--shard', '2/8'])
  assert.equal([deep?.build, deep?.deep, deep?.shard], [true, true, { index: 2, of: 8 }])
  assert.is(readArguments(['--help']), undefined)
  const shards = ['3/2', '0/1', 'x', '1/', '1/2/3', ''].map((shard) => [`--shard=${shard}`])
  for (const bad of [['--jobs', '0'], ['--jobs', 'x'], ['--nope'], ...shards]) assert.throws(() => readArguments(bad))
})

test.run()
