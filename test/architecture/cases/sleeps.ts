/** Tests wait for a condition, not for a time: fixed sleeps are counted, and new ones are refused. */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { findSleeps } from '../sleeps.ts'
import { textsOf } from '../sources.ts'

export const test: Test = suite('sleeps')

/**
 * The number of fixed sleeps. Lower the number with each sleep that you remove. Do not add a sleep: poll for a
 * condition, or control the clock.
 */
const KNOWN = 50

test('no test has a new fixed sleep', () => {
  // A soak generates load for a given time, so its sleeps are necessary.
  const texts = new Map([...textsOf('test/**/*.ts')].filter(([file]) => !file.startsWith('test/soak/')))
  assert.ok(texts.size > 300)
  const found = findSleeps(texts)
  const list = found.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n')
  assert.is(found.length, KNOWN, `${found.length} fixed sleeps, ${KNOWN} are known:\n${list}`)
})

test('each form of a sleep is found; polls and time limits are not sleeps', () => {
  const modules = {
    'a.ts': 'async function a() { await new Promise((resolve) => setTimeout(resolve, 20)) }',
    'b.ts': "import { setTimeout as sleep } from 'node:timers/promises'\nawait sleep(5)",
    'later.ts': 'export const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))',
    'c.ts': "import { later } from './later.ts'\nawait later(30)",
    'd.ts':
      'function soon(): Promise<void> {\n  return new Promise((done) => void setTimeout(() => done(), 1))\n}\nawait soon()',
    'poll.ts': 'while (!ready()) await new Promise((resolve) => setTimeout(resolve, 5))',
    'limit.ts':
      'await new Promise((resolve, reject) => { setTimeout(reject, 5); socket.once("end", resolve) })\nawait other(5)',
    'clock.ts': 'await new Promise<void>((resolve) => void clock.setTimeout(resolve, 5))',
  }
  assert.equal(
    findSleeps(new Map(Object.entries(modules))).map(({ file, line }) => `${file}:${line}`),
    ['a.ts:1', 'b.ts:2', 'c.ts:2', 'd.ts:4'],
  )
})
