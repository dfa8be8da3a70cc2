import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isLeftToCi, leftToCi } from './left-to-ci.ts'

const test = suite('runner: files that make test leaves to CI')
const files = globSync('test/**/*.test.ts', { cwd: join(import.meta.dirname, '../..') })

test('each file of the list exists, once', () => {
  const named = leftToCi.flatMap((subject) => subject.files)
  assert.is(new Set(named).size, named.length)
  for (const name of named) assert.ok(files.includes(`${name}.test.ts`), name)
})

test('of each subject make test runs a file', () => {
  for (const { files: left, instead } of leftToCi) {
    assert.ok(instead.length > 0, left.join())
    for (const name of instead) {
      const run = files.filter((file) => (name.endsWith('/') ? file.startsWith(name) : file === `${name}.test.ts`))
      assert.ok(run.length > 0, `${name} is no test file`)
      for (const file of run) assert.not(isLeftToCi(file), `${file} stands for ${left.join()}, and is left to CI too`)
    }
  }
})

test('a file is left to CI by its whole name', () => {
  assert.ok(isLeftToCi('test/toolkit/trust.test.ts'))
  assert.not(isLeftToCi('test/toolkit/report.test.ts'))
  assert.not(isLeftToCi('test/toolkit/trust-more.test.ts'))
})

test.run()
