import { availableParallelism } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandsNotRun } from '../support/page-commands/not-run.ts'
import { readArguments } from './arguments.ts'

const test = suite('runner: output')

test('the command line is read', () => {
  const line = commandsNotRun('CONTRIBUTING.md', 'node_modules/').find((one) => one.includes('--grep'))!
  const [, words] = / test\/run\.ts (.*?) +#/.exec(line)!
  assert.is(readArguments(words!.replaceAll("'", '').split(' '))?.grep, 'preflight')
  const read = readArguments(['unit', '--grep', 'x', '--jobs', '3', '--timeout-ms', '5'])
  const rest = { build: false, deep: false, shard: undefined }
  assert.equal(read, { only: ['unit'], grep: 'x', jobs: 3, timeoutMs: 5, ...rest })
  assert.is(readArguments([])?.jobs, availableParallelism() + 1)
  const deep = readArguments(['--build', '--deep', '--shard', '2/8'])
  assert.equal([deep?.build, deep?.deep, deep?.shard], [true, true, { index: 2, of: 8 }])
  assert.is(readArguments(['--help']), undefined)
  const shards = ['3/2', '0/1', 'x', '1/', '1/2/3', ''].map((shard) => [`--shard=${shard}`])
  for (const bad of [['--jobs', '0'], ['--jobs', 'x'], ['--nope'], ...shards]) assert.throws(() => readArguments(bad))
})

test.run()
