import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../support/skip.ts'
import { toFailures } from './report.ts'
import { type FileResult, type RunOptions, runFile, runGroup } from './run-file.ts'

const test = suite('runner: files')
const check = import.meta.resolve('uvu/assert')
const support = (name: string): string => pathToFileURL(join(import.meta.dirname, '../support', name)).href
let folder = ''
let count = 0

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-runner-'))
})
test.after(() => rmSync(folder, { recursive: true }))

/** Runs a test file with these lines. The prelude replaces `uvu` in it, as in every test file. */
function run(lines: string, options: Partial<RunOptions> & { env?: Record<string, string> } = {}): Promise<FileResult> {
  const file = join(folder, `${++count}.test.mjs`)
  const head = `import { test } from 'uvu'\nimport * as assert from '${check}'\n`
  writeFileSync(file, lines.includes('from ') ? lines : head + lines)
  // A process may end late on a busy machine. Tests in which the whole grace passes set a shorter one.
  return runFile(file, { timeoutMs: 120_000, graceMs: 20_000, ...options })
}

const counts = ({ passed, failed, skipped }: FileResult): number[] => [passed, failed, skipped]

test('passed and failed tests are counted', async () => {
  const result = await run(`
    test('a', () => {})
    test('b', async () => assert.is(1, 2))
    test.run()`)
  assert.equal(counts(result), [1, 1, 0])
  assert.equal(result.problems, [])
  assert.match(result.output, /FAIL.*"b"/)
})

test('each failure has a line of its own at the end, with its place', async () => {
  const result = await run(`
    test('long', () => assert.is(null, 1, '\\n' + 'what a process printed\\n'.repeat(1_000)))
    test('thrown', () => { throw new TypeError('no such thing') })
    test('lines', () => assert.equal(['same', 'two words'], ['same']))
    test.run()`)
  const [long, thrown, lines, ...others] = toFailures([result]).split('\n')
  assert.match(long!, /^failed: .*: "long": what a process printed \(expected 1, actual null, at .*:4\)$/)
  assert.match(thrown!, /^failed: .*: "thrown": no such thing \(at .*:5\)$/)
  assert.match(lines!, /^failed: .*: "lines": .* \(actual "two words", at .*:6\)$/)
  assert.equal(others, [])
  const many = Array.from({ length: 30 }, () => ({ ...result, output: '', problems: ['x'.repeat(500)] }))
  const listed = toFailures(many).split('\n')
  assert.is(listed.length, 21)
  assert.ok(listed.every((line) => line.length < 350))
  assert.is(listed.at(-1), 'failed: and 10 more')
  assert.is(toFailures([await run(`test('a', () => {}); test.run()`)]), '')
})

test('a file that forgets to run its tests fails', async () => {
  const result = await run(`test('a', () => {})`)
  assert.equal(counts(result), [0, 1, 0])
  assert.match(result.problems[0]!, 'no test ran')
})

test('a file without a test fails', async () => {
  assert.match((await run('test.run()')).problems[0]!, 'no test ran')
})

test('a file that cannot be loaded fails', async () => {
  const result = await run(`throw new Error('at load')`)
  assert.equal(counts(result), [0, 1, 0])
  assert.match(result.problems.join(), 'before its tests were through')
})

test('an unhandled rejection or exception fails the file, even if the file has a handler for it', async () => {
  const result = await run(`
    test('a', () => { Promise.reject(new Error('lost')) })
    test('b', () => new Promise((resolve) => setTimeout(resolve, 20)))
    test.run()`)
  assert.ok(result.failed > 0)
  assert.match(result.problems.join(), /unhandled: unhandledRejection: Error: lost/)
  const swallowed = await run(`
    process.on('uncaughtException', () => {})
    test('a', () => { setTimeout(() => { throw new Error('late') }) })
    test('b', () => new Promise((resolve) => setTimeout(resolve, 20)))
    test.run()`)
  assert.equal(counts(swallowed), [2, 1, 0])
  assert.match(swallowed.problems.join(), /unhandled: uncaughtException: Error: late/)
})

test('an error after the last test fails the file', async () => {
  const result = await run(`
    test('a', () => { setTimeout(() => { throw new Error('late') }, 50) })
    test.run()`)
  assert.equal(counts(result), [1, 1, 0])
})

const uncounted = process.platform === 'linux' ? undefined : 'only Linux counts it for processes that ended'
testUnless(
  test,
  uncounted,
  'the processor time of a file includes the child processes that it waited for',
  async () => {
    const idle = await run(`test('a', () => {})\ntest.run()`)
    const busy = await run(`
    import { spawnSync } from 'node:child_process'
    import { test } from 'uvu'
    const burn = 'while (process.cpuUsage().user < 700_000) {}'
    test('a', () => { spawnSync(process.execPath, ['-e', burn], { stdio: 'inherit' }) })
    test.run()`)
    assert.ok((idle.processorS ?? 0) > 0)
    assert.ok((busy.processorS ?? 0) > (idle.processorS ?? 0) + 0.5, `${busy.processorS} and ${idle.processorS}`)
    assert.not.match(idle.output, /processor seconds[\s\S]*processor seconds/)
  },
)

test('an exit code that is not 0 fails the file', async () => {
  const result = await run(`
    test('a', () => { process.on('exit', () => { process.exitCode = 3 }) })
    test.run()`)
  assert.equal(counts(result), [1, 1, 0])
  assert.match(result.problems.join(), 'exit code 3')
})

test('a process that exits before its tests have ended fails', async () => {
  assert.equal(counts(await run(`test('a', () => process.exit(0))\ntest.run()`)), [0, 1, 0])
})

test('an open handle fails the file and is named', async () => {
  const result = await run(
    `
    test('a', () => { setInterval(() => {}, 1000) })
    test.run()`,
    { graceMs: 300 },
  )
  assert.equal(counts(result), [1, 1, 0])
  assert.match(result.problems[0]!, /did not end after the tests: .*Timeout/)
})

test('a test that hangs fails, and the other tests run', async () => {
  const key = 'SVC_TEST_LIMIT_MS'
  process.env[key] = '100'
  try {
    const result = await run(`
      test('hangs', () => new Promise(() => {}))
      test('after', () => {})
      test.run()`)
    assert.equal(counts(result), [1, 1, 0])
    assert.match(result.output, /"hangs" did not end within 100 ms/)
  } finally {
    delete process.env[key]
  }
})

test('a file that never ends is killed', async () => {
  const result = await run(`test('busy', () => { for (;;); })\ntest.run()`, { timeoutMs: 700 })
  assert.equal(counts(result), [0, 1, 0])
  assert.match(result.problems[0]!, 'time limit')
})

test('processes that outlive the file are found and killed', async () => {
  const pulse = join(folder, 'pulse')
  const result = await run(
    `
    import { spawn } from 'node:child_process'
    import { existsSync } from 'node:fs'
    import { test } from 'uvu'
    import { until } from '${import.meta.resolve('../../scripts/until.ts')}'
    const beat = 'setInterval(() => fs.appendFileSync(process.argv[1], "."), 10)'
    test('a', async () => {
      spawn(process.execPath, ['-e', beat, '${pulse}'], { stdio: 'ignore' }).unref()
      await until('its first beat', async () => existsSync('${pulse}'), 60_000)
    })
    test.run()`,
    { graceMs: 1_000 },
  )
  assert.equal(counts(result), [1, 1, 0])
  assert.match(result.problems[0]!, 'outlived')
  const beats = statSync(pulse).size
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.is(statSync(pulse).size, beats)
})

test('a thrown value that is not an Error is one failure, and the other tests run', async () => {
  const result = await run(`
    test('a', () => { throw 'text' })
    test('b', () => {})
    test.run()`)
  assert.equal(counts(result), [1, 1, 0])
})

test('an error whose details are not a string is one failure with its message, and the other tests run', async () => {
  const result = await run(`
    test('a', () => { throw Object.assign(new Error('no such board'), { details: { board: 'b7', tried: [1, 2] } }) })
    test('b', () => { throw Object.assign(new TypeError('nothing'), { details: null }) })
    test('c', () => {})
    test.run()`)
  assert.equal(counts(result), [1, 2, 0])
  assert.match(result.output, /FAIL.*"a"[\s\S]*no such board[\s\S]*board: 'b7'[\s\S]*at .*test\.mjs/)
  assert.match(result.output, /FAIL.*"b"[\s\S]*nothing/)
})

test('a hook that fails is a failure', async () => {
  const result = await run(`
    test.before(() => { throw new Error('no folder') })
    test('a', () => {})
    test('b', () => {})
    test.run()`)
  assert.equal(counts(result), [0, 2, 0])
  assert.match(result.problems.join(), /hook failed: before: Error: no folder/)
})

test('a retry is reported with its reason', async () => {
  const result = await run(`
    import { suite } from 'uvu'
    import { again } from '${support('skip.ts')}'
    const test = suite('named')
    test('a', () => undefined)
    test('b', () => again('answered late'))
    test.run()`)
  assert.equal([counts(result), result.retries], [[2, 0, 0], ['answered late']])
})

test('what a test leaves out is reported with its reason, and the test counts as passed', async () => {
  const result = await run(`
    import { suite } from 'uvu'
    import { leaveOut } from '${support('skip.ts')}'
    const test = suite('named')
    test('a', () => undefined)
    test('b', () => leaveOut('a full disk', 'no file system can be mounted here'))
    test.run()`)
  assert.equal([counts(result), result.leftOut], [[2, 0, 0], ['a full disk: no file system can be mounted here']])
})

test('a skip with a reason is counted; a skip without a reason fails, and so does test.only', async () => {
  const withReason = await run(`
    import { test } from 'uvu'
    import { skip } from '${support('skip.ts')}'
    skip(test, 'vectors', 'no vectors here')
    test.run()`)
  assert.equal(counts(withReason), [0, 0, 1])
  assert.equal(withReason.skips, ['vectors: no vectors here'])
  const silent = await run(`test.skip('a', () => {})\ntest('b', () => {})\ntest.run()`)
  assert.equal(counts(silent), [1, 1, 1])
  const only = await run(`test('a', () => {})\ntest.only('b', () => {})\ntest.run()`)
  assert.equal(counts(only), [1, 1, 1])
})

test('only the tests whose name contains the text of --grep run', async () => {
  const lines = `test('one', () => {})\ntest('two', () => assert.ok(false))\ntest.run()`
  assert.equal(counts(await run(lines, { grep: 'one' })), [1, 0, 0])
  assert.equal(counts(await run(lines, { grep: 'three' })), [0, 0, 0])
})

/** Runs files with these lines in one process. */
function runTogether(files: readonly string[]): Promise<readonly FileResult[]> {
  const head = `import { test } from 'uvu'\nimport * as assert from '${check}'\n`
  const paths = files.map((lines) => {
    const file = join(folder, `${++count}.test.mjs`)
    writeFileSync(file, head + lines)
    return file
  })
  return runGroup(paths, { timeoutMs: 120_000, graceMs: 1_000 })
}

test('each file of a shared process is judged by its own tests', async () => {
  const passes = `test('a', () => {})\ntest.run()`
  const results = await runTogether([
    passes,
    `test('b', () => assert.is(1, 2))\ntest('c', () => {})\ntest.run()`,
    `throw new Error('at load')`,
    `import { suite } from 'uvu'\nsuite('d')('d', () => {})`,
    `test('e', () => { Promise.reject(new Error('lost')) })\ntest.run()`,
    passes,
  ])
  assert.equal(results.map(counts), [
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [0, 1, 0],
  ])
  assert.match(results[1]!.output, /FAIL.*"b"/)
  assert.match(results[2]!.output, 'at load')
  assert.match(results[3]!.problems.join(), 'no test ran')
  assert.match(results[4]!.problems.join(), /unhandled: unhandledRejection: Error: lost/)
  // An unhandled error ends the process, so the last file was not begun.
  assert.match(results[5]!.problems.join(), 'before its tests were through')
})

test('a file of a shared process that leaves a handle open is named, and those after it fail', async () => {
  const passes = `test('a', () => {})\ntest.run()`
  const results = await runTogether([passes, `test('b', () => { setInterval(() => {}, 1000) })\ntest.run()`, passes])
  assert.equal(results.map(counts), [
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
  ])
  assert.match(results[1]!.output, /still open: .*Timeout/)
})

test.run()
