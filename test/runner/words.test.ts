import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readArguments } from './arguments.ts'
import { toDetails, toNotes, toSummary, toTable } from './report.ts'
import type { FileResult } from './run-file.ts'

const test = suite('runner: words')

const result = (parts: Partial<FileResult>): FileResult => ({
  file: 'test/a.test.ts',
  passed: 0,
  failed: 0,
  skipped: 0,
  skips: [],
  retries: [],
  problems: [],
  durationMs: 1_250,
  output: '',
  ...parts,
})

test('the last line has the skips only where there are some', () => {
  assert.is(toSummary([result({ passed: 2 }), result({ passed: 1, failed: 3 })]), '3 passed, 3 failed')
  assert.is(toSummary([result({ passed: 2, skipped: 1 })]), '2 passed, 0 failed, 1 skipped')
})

test('the table has a line for every file', () => {
  const lines = toTable([result({ passed: 2 }), result({ file: 'test/b/c.test.ts', failed: 10 })]).split('\n')
  assert.equal(lines, [
    'file              passed  failed  skipped   time',
    'test/a.test.ts         2       0        0  1.3 s',
    'test/b/c.test.ts       0      10        0  1.3 s',
  ])
})

test('details are for failures, what was left out or tried again has reasons', () => {
  assert.is(toDetails(result({ passed: 1, output: 'quiet' })), '')
  assert.match(toDetails(result({ failed: 1, output: 'loud', problems: ['bad'] })), /test\/a\.test\.ts\nloud\n {2}bad/)
  assert.is(
    toNotes([result({ skips: ['x: why'] }), result({ retries: ['late'] })]),
    'tried again: test/a.test.ts: late\nskipped: test/a.test.ts: x: why',
  )
})

test('reads the command line', () => {
  const read = readArguments(['unit', '--grep', 'x', '--jobs', '3', '--timeout-ms', '5'])
  assert.equal(read, { only: ['unit'], grep: 'x', jobs: 3, timeoutMs: 5 })
  assert.is(readArguments(['--help']), undefined)
  for (const bad of [['--jobs', '0'], ['--jobs', 'x'], ['--nope']]) assert.throws(() => readArguments(bad))
})

test.run()
