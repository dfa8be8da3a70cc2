/** Appends of several nodes to one run at once. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../../core/declare/errors.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: appends')

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const said = (name: string): object => ({ type: 'CUSTOM', name, value: null })

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

/** The code of the answer to an append. */
const append = (node: number, run_id: string, event: object): Promise<string> =>
  Promise.resolve(nodes[node]!.runs.append(owner, run_id, [event])).then(
    () => 'written',
    (error: unknown) => (error instanceof SvcError ? error.code : String(error)),
  )

testUnless(test, noNats, 'all appends of twelve writers to one run through four nodes succeed', async () => {
  await start(4)
  await nodes[0]!.runs.create(owner, { run_id: 'shared' })
  await nodes[0]!.runs.append(owner, 'shared', [started])
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      const codes: string[] = []
      for (let n = 0; n < 15; n++) codes.push(await append(writer % 4, 'shared', said(`${writer}-${n}`)))
      return codes
    }),
  )
  assert.equal([...new Set(answers.flat())], ['written'])
  assert.is((await nodes[3]!.runs.get(owner, 'shared'))?.last_seq, 1 + 12 * 15)
})

test.run()
