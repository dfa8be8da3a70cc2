/** Appends while a real NATS is frozen, and appends of several nodes to one run at once. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../../core/errors.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { measureLoopDelay } from '../../support/loop-delay.ts'
import { testUnless } from '../../support/skip.ts'
import { freeze } from './freeze.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: appends')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const said = (name: string): object => ({ type: 'CUSTOM', name, value: null })

/** The maximum time of an append, in milliseconds. */
const ANSWER_MS = 5_000

let engine: Engine
let nodes: RunNode[] = []

test.before.each(async () => {
  if (noNats !== undefined) return
  engine = await startNats()
})
test.after.each(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
  await engine?.stop()
})

const start = async (count: number): Promise<void> => {
  nodes = await Promise.all(Array.from({ length: count }, () => startRunNode([engine.port])))
}

/** The code of the answer to an append, and its duration in milliseconds. */
const append = async (node: number, run_id: string, event: object): Promise<{ code: string; ms: number }> => {
  const since = performance.now()
  const code = await Promise.resolve(nodes[node]!.runs.append(owner, run_id, [event])).then(
    () => 'written',
    (error: unknown) => (error instanceof SvcError ? error.code : String(error)),
  )
  return { code, ms: performance.now() - since }
}

testUnless(test, noNats, 'while NATS is frozen each append is answered within 5 s', async () => {
  await start(2)
  for (const run_id of ['held', 'elsewhere']) {
    await nodes[0]!.runs.create(owner, { run_id })
    await nodes[0]!.runs.append(owner, run_id, [started])
  }
  await nodes[1]!.runs.append(owner, 'held', [said('here too')])
  const thaw = await freeze(engine.pid)
  // The nodes are in this process.
  const loop = measureLoopDelay()
  try {
    const answers = await Promise.all([
      append(0, 'held', said('in memory')),
      append(0, 'held', said('behind it')),
      append(1, 'elsewhere', said('not in memory')),
      append(1, 'held', started),
      append(1, 'unknown', started),
    ])
    for (const { code, ms } of answers) {
      assert.ok(['append_unknown', 'overloaded'].includes(code), `${code}: ${JSON.stringify(answers)}`)
      assert.ok(ms < ANSWER_MS + loop.maxMs, `${code} after ${ms} ms, in a process that was ${loop.maxMs} ms late`)
    }
  } finally {
    thaw()
  }
})

testUnless(test, noNats, 'all appends of twelve writers to one run through four nodes succeed', async () => {
  await start(4)
  await nodes[0]!.runs.create(owner, { run_id: 'shared' })
  await nodes[0]!.runs.append(owner, 'shared', [started])
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      const codes: string[] = []
      for (let n = 0; n < 15; n++) codes.push((await append(writer % 4, 'shared', said(`${writer}-${n}`))).code)
      return codes
    }),
  )
  assert.equal([...new Set(answers.flat())], ['written'])
  assert.is((await nodes[3]!.runs.get(owner, 'shared'))?.last_seq, 1 + 12 * 15)
})

test.run()
