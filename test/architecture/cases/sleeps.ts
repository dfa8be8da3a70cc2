/** Tests wait for a condition, not for a time: fixed sleeps are counted, and new ones are refused. */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { findSleeps } from '../sleeps.ts'
import { textsOf } from '../sources.ts'

export const test: Test = suite('sleeps')

/** Why a time itself is the subject of a test. */
const WHY = {
  client: 'a client that is slow or silent for a while: the pause is what the client does',
  handler: 'a handler that takes long: its time is what the test is about',
  nothing: 'that nothing happens can be seen only after a while; a slow machine cannot make such a test fail',
  limit: 'the time limit itself has to pass, and is a constant of the library',
  promised: 'the longest time that the documents promise for all nodes',
} as const

/**
 * The fixed sleeps, by file: how many, and why. Do not add one: poll for a condition, or control the clock.
 */
const KNOWN: Readonly<Record<string, readonly [count: number, why: keyof typeof WHY]>> = {
  'test/conformance/nodes-target.ts': [1, 'promised'],
  'test/e2e/cli/slow-start-child.ts': [1, 'handler'],
  'test/e2e/kbd/chain.test.ts': [3, 'nothing'],
  'test/e2e/peer/hostile.test.ts': [1, 'client'],
  'test/e2e/sync/api.test.ts': [1, 'limit'],
  'test/e2e/telemetry/slow-service.ts': [1, 'handler'],
  'test/e2e/telemetry/work-spans.test.ts': [1, 'client'],
  'test/e2e/transport/cases/bodies.ts': [3, 'client'],
  'test/e2e/transport/cases/life.ts': [4, 'client'],
  'test/e2e/transport/cases/refusals.ts': [3, 'client'],
  'test/e2e/transport/cases/requests.ts': [2, 'handler'],
  'test/e2e/transport/cases/streams.ts': [4, 'client'],
  'test/e2e/transport/pipelined-streams.test.ts': [2, 'limit'],
  'test/e2e/transport/stop.test.ts': [1, 'client'],
  'test/e2e/transport/uws.test.ts': [1, 'client'],
  'test/hostile/auth.test.ts': [1, 'client'],
  'test/hostile/rig.test.ts': [1, 'handler'],
  'test/runner/run-file.test.ts': [1, 'nothing'],
  'test/unit/auth/service.ts': [1, 'promised'],
  'test/unit/build/progress.test.ts': [1, 'handler'],
  'test/unit/client/tabs.test.ts': [1, 'nothing'],
  'test/unit/cluster/follower.test.ts': [1, 'nothing'],
  'test/unit/sync/host-faults.test.ts': [2, 'handler'],
}

test('no test has a new fixed sleep', () => {
  // A soak generates load for a given time, so its sleeps are necessary.
  const texts = new Map([...textsOf('test/**/*.ts')].filter(([file]) => !file.startsWith('test/soak/')))
  assert.ok(texts.size > 300)
  const found = findSleeps(texts)
  const list = found.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n')
  const counts: Record<string, number> = {}
  for (const { file } of found) counts[file] = (counts[file] ?? 0) + 1
  const known = Object.fromEntries(Object.entries(KNOWN).map(([file, [count]]) => [file, count]))
  assert.equal(counts, known, `wait for a condition instead:\n${list}`)
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
