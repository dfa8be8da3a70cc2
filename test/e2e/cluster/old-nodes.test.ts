/**
 * Nodes of an earlier commit beside those of this one, on one NATS: runs and entity streams. The code of the earlier
 * commit is a bundle, which `test/support/old-nodes/make.ts` makes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cancelled } from '../../../plugins/realtime/errors.ts'
import { root } from '../../../scripts/build/paths.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { entranceOf } from './node-entrance.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: nodes of an earlier commit')

/** The first commit whose messages have versions. */
const COMMIT = 'dfd6e783'

const owner = { user_id: 'ann', tenant_id: 'acme' }
const said = (name: string): object => ({ type: 'CUSTOM', name, value: null })

/** A run keeps 6 events, so that nodes also write beginnings. Only one ended run is kept. */
const numbers = { runMaxEvents: 6, maxFinishedRuns: 1 }

let engine: Engine
let nodes: { readonly old: RunNode; readonly present: RunNode }
test.before(async () => {
  if (noNats !== undefined) return
  const code = brotliDecompressSync(readFileSync(join(root, `test/support/old-nodes/${COMMIT}.mjs.br`)))
  const file = join(folderWith({ 'old.mjs': code.toString() }), 'old.mjs')
  const earlier = (await import(pathToFileURL(file).href)) as { readonly startRunNode: typeof startRunNode }
  engine = await startNats()
  const [old, present] = await Promise.all([
    earlier.startRunNode([engine.port], { numbers }),
    startRunNode([engine.port], { numbers }),
  ])
  nodes = { old, present }
})
test.after(async () => {
  await Promise.all([nodes?.old.stop(), nodes?.present.stop()])
  await engine?.stop()
})

testUnless(test, noNats, 'a run that either makes is written, read, shortened and removed by both', async () => {
  for (const [run_id, first, second] of [
    ['of-the-old', nodes.old, nodes.present],
    ['of-the-present', nodes.present, nodes.old],
  ] as const) {
    const both = [first, second]
    const { epoch } = await first.runs.create(owner, { run_id })
    await first.runs.append(owner, run_id, [{ type: 'RUN_STARTED', threadId: 't', runId: run_id }])
    await first.runs.append(owner, run_id, [{ type: 'STATE_SNAPSHOT', snapshot: { of: run_id } }])
    for (let n = 2; n < 16; n++) {
      const { runs } = both[n % 2]!
      assert.is((await runs.append(owner, run_id, [said(String(n))], `"${epoch}-${n}"`)).last_seq, n + 1)
    }
    for (const { runs } of both) {
      const run = await runs.find(owner, run_id, true)
      assert.equal([run?.record.epoch, run?.record.first_seq, run?.record.last_seq], [epoch, 11, 16])
    }
    const [one, other] = await Promise.all(both.map((node) => entranceOf(node).read(run_id, 16)))
    assert.equal(one, other)
    assert.equal(one!.names.slice(10), ['10', '11', '12', '13', '14', '15'])
    // The event with the state is no longer in the log, so a beginning must have been written.
    for (const { store } of both)
      await until('its beginning', async () => (await store.read({ owner, run_id })) !== undefined, 60_000)
    await second.runs.append(owner, run_id, [{ type: 'RUN_FINISHED', threadId: 't', runId: run_id }])
    for (const { runs } of both) assert.is((await runs.get(owner, run_id))?.status, 'finished')
  }
  for (const { runs } of [nodes.old, nodes.present])
    await until('one is kept', async () => (await runs.get(owner, 'of-the-old')) === undefined, 60_000)
})

testUnless(test, noNats, 'the run of an agent that a node calls is read and cancelled by both', async () => {
  const { old, present } = nodes
  for (const [run_id, cancels] of [
    ['called', old],
    ['called-too', present],
  ] as const) {
    const { epoch } = await present.runs.create(owner, { run_id, agent: 'writer' })
    await present.runs.append(owner, run_id, [{ type: 'RUN_STARTED', threadId: 't', runId: run_id }], `"${epoch}-0"`)
    for (let n = 1; n < 4; n++) await present.runs.append(owner, run_id, [said(String(n))], `"${epoch}-${n}"`)
    assert.ok(present.runs.isCalled(owner, run_id))
    assert.equal((await entranceOf(old).read(run_id, 4)).names, ['RUN_STARTED', '1', '2', '3'])
    await cancels.runs.append(owner, run_id, [cancelled])
    // The earlier version did not know the status of a cancelled run.
    const status = cancels === old ? 'failed' : 'cancelled'
    for (const { runs } of [old, present]) assert.is((await runs.get(owner, run_id))?.status, status)
    assert.not.ok(present.runs.isCalled(owner, run_id))
  }
})

testUnless(test, noNats, 'both append to one run at once: each event is in it once, in one order', async () => {
  const { old, present } = nodes
  const run_id = 'at-once'
  const { epoch } = await old.runs.create(owner, { run_id })
  const write = async ({ runs }: RunNode, name: string): Promise<void> => {
    for (let n = 0; n < 15; n++) await runs.append(owner, run_id, [said(`${name}-${n}`)])
  }
  await present.runs.append(owner, run_id, [{ type: 'RUN_STARTED', threadId: 't', runId: run_id }])
  await Promise.all([write(old, 'old'), write(present, 'present')])
  const records = await Promise.all([old, present].map(({ runs }) => runs.get(owner, run_id)))
  assert.equal(
    records.map((record) => [record?.epoch, record?.last_seq]),
    [
      [epoch, 31],
      [epoch, 31],
    ],
  )
  const [one, other] = await Promise.all([old, present].map((node) => entranceOf(node).read(run_id, 31)))
  assert.equal(one, other)
})

testUnless(test, noNats, 'entity events of each version reach both versions, in order', async () => {
  const heard = { old: [] as string[], present: [] as string[] }
  const lost: string[] = []
  await Promise.all(
    (['old', 'present'] as const).map(
      (name) =>
        nodes[name].bus.subscribe('acme', {
          event: ({ topic, bytes }) => void heard[name].push(`${topic} ${Buffer.from(bytes).toString().trim()}`),
          lost: () => void lost.push(name),
        }).ready,
    ),
  )
  const publish = (name: 'old' | 'present', n: number): void =>
    assert.ok(nodes[name].bus.publish('acme', { topic: name, bytes: Buffer.from(`data: ${n}\n\n`) }))
  for (let n = 0; n < 10; n++) for (const name of ['old', 'present'] as const) publish(name, n)
  await until('all', async () => heard.old.length >= 20 && heard.present.length >= 20, 60_000)
  assert.equal(lost, [], 'nothing is missing')
  for (const name of ['old', 'present'] as const) {
    const expected = Array.from({ length: 10 }, (_, n) => `${name} data: ${n}`)
    for (const events of [heard.old, heard.present])
      assert.equal(
        events.filter((event) => event.startsWith(name)),
        expected,
      )
  }
})

test.run()
