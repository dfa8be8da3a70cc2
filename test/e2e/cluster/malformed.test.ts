/**
 * Messages of NATS that no node wrote, on the subjects of nodes: each is skipped, and everybody's runs and events go
 * on.
 */
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { streamInfo } from '../../../plugins/cluster/nats/jetstream.ts'
import { baseOf, hash, logOf, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { writeHead } from '../../../plugins/cluster/nats/run-head.ts'
import type { RunHead } from '../../../plugins/realtime/runs/shared/api.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: malformed messages')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noNats, name, work)

const owner = { user_id: 'ann', tenant_id: 'acme' }
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const said = { type: 'CUSTOM', name: 'x', value: null }
const nameOf = (run_id: string) => ({ owner, run_id })

let engine: Engine
const nodes: RunNode[] = []

test.before(async () => {
  if (noNats !== undefined) return
  engine = await startNats()
  nodes.push(await startRunNode([engine.port]), await startRunNode([engine.port]))
})
test.after(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await engine?.stop()
})

const nats = (): NatsConnection => nodes[0]!.connection!

/** Heads that are wrong in one member each, and no head. */
function wrongHeads(run_id: string): readonly (MsgHdrs | undefined)[] {
  const record: RunHead['record'] = {
    ...{ ...nameOf(run_id), thread_id: 't', status: 'running', created_at_ms: 0, ended_at_ms: null },
    ...{ first_seq: 1, last_seq: 1, epoch: 'e', agent: null, error: null },
  }
  const whole = { id: 'i', record, bytes: 1, gone: false }
  const wrong: object[] = [
    { ...whole, record: { last_seq: 5 } },
    { ...whole, record: { ...record, owner: undefined } },
    { ...whole, record: { ...record, owner: { user_id: 5, tenant_id: 'acme' } } },
    { ...whole, record: { ...record, run_id: 'another' } },
    { ...whole, record: { ...record, status: 'lost' } },
    { ...whole, record: { ...record, last_seq: -1 } },
    { ...whole, record: { ...record, first_seq: 9 } },
    { ...whole, record: { ...record, epoch: 7 } },
    { ...whole, record: null },
    { ...whole, bytes: -1e9 },
    { ...whole, gone: 'no' },
  ]
  const notJson = headers()
  notJson.set('Svc-Run', '{')
  return [
    undefined,
    notJson,
    ...wrong.map((head) => {
      const made = headers()
      writeHead(made, head as RunHead)
      return made
    }),
  ]
}

async function spoil(run_id: string): Promise<number> {
  const wrong = wrongHeads(run_id)
  for (const head of wrong)
    await nats().request(logOf(nameOf(run_id)), '{"garbage"', {
      timeout: 10_000,
      ...(head !== undefined && { headers: head }),
    })
  return wrong.length
}

/**
 * Repeats work until it is not refused with `overloaded`, as a client does. After a node has skipped a message, it
 * refuses appends to the run until it has read the subject of the run again.
 */
async function untilAccepted(work: () => Promise<unknown>): Promise<void> {
  const isRefused = (error: unknown): boolean => (error as { readonly code?: string }).code === 'overloaded'
  const isAccepted = async (): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (isRefused(error)) return false
      throw error
    }
  }
  await until('the node accepts', isAccepted, 60_000)
}

it('runs of everybody go on behind malformed messages, on nodes that are there and on new ones', async () => {
  const [one, other] = nodes as [RunNode, RunNode]
  for (const run_id of ['spoiled', 'whole']) {
    await one.runs.create(owner, { run_id })
    await one.runs.append(owner, run_id, [started])
  }
  const count = await spoil('spoiled')
  const { state } = await streamInfo(nats(), RUNS)
  await nats().request('svc.run.garbage', 'garbage')
  await until('both skip them', async () => nodes.every(({ skipped }) => skipped.length === count + 1), 60_000)
  assert.ok(state.last_seq > count)
  const added = await startRunNode([engine.port])
  nodes.push(added)
  let seq = 1
  for (const node of [one, other, added])
    for (const run_id of ['spoiled', 'whole']) {
      assert.is((await node.runs.get(owner, run_id))?.last_seq, seq, run_id)
      assert.equal((await node.runs.list(owner)).map((run) => run.run_id).sort(), ['spoiled', 'whole'])
      if (run_id === 'whole') seq++
      await untilAccepted(() => node.runs.append(owner, run_id, [said]))
    }
  for (const node of nodes) assert.is((await node.runs.get(owner, 'spoiled'))?.last_seq, 4)
})

it('a run whose subject has only malformed messages can be created', async () => {
  const before = nodes[0]!.skipped.length
  const count = await spoil('later')
  await until('they are skipped', async () => nodes[0]!.skipped.length === before + count, 60_000)
  await untilAccepted(() => nodes[0]!.runs.create(owner, { run_id: 'later' }))
  await untilAccepted(() => nodes[1]!.runs.append(owner, 'later', [started]))
  assert.is((await nodes[0]!.runs.get(owner, 'later'))?.last_seq, 1)
})

it('a malformed message on the subject of a beginning does not hide it', async () => {
  const { store } = nodes[0]!
  const base = { epoch: 'e', sequence: 3 }
  const pieces = async function* () {
    yield 'point'
  }
  await store.keep(nameOf('based'), base, pieces(), 1)
  for (const garbage of [
    'garbage',
    '{"id":1,"part":0,"last":true}',
    '{"id":"i","part":0,"last":true,"epoch":"e","sequence":"3"}',
  ])
    await nats().request(baseOf(nameOf('based')), garbage)
  assert.equal(await store.read(nameOf('based')), { ...base, point: 'point' })
  await store.keep(nameOf('based'), { ...base, sequence: 5 }, pieces(), 1)
  assert.is((await store.read(nameOf('based')))?.sequence, 5)
})

it('a malformed message on a live topic is skipped, and reaches no reader', async () => {
  const [one, other] = nodes as [RunNode, RunNode]
  const seen: string[] = []
  const { ready, close } = other.bus.subscribe('acme', {
    event: ({ bytes }) => seen.push(Buffer.from(bytes).toString()),
    lost: () => seen.push('lost'),
  })
  await ready
  const before = other.skipped.length
  const subject = `svc.live.${hash(['acme'])}.${hash(['todos'])}`
  const line = (...head: unknown[]): string => `${JSON.stringify(head)}\n`
  const wrong = [
    'garbage',
    `${line('o', 1, 'acme', 'todos', [5])}four`,
    `${line('o', 1, 'acme', 'todos', [-1])}`,
    `${line('o', 1, 'acme', 'todos', [[4, 7]])}four`,
    `${line(7, 1, 'acme', 'todos', [4])}four`,
    `${line('o', 'one', 'acme', 'todos', [4])}four`,
    `${line('o', 1, 'acme', 'notes', [4])}four`,
    `${line('o', 1, { a: 1 }, 'todos', [4])}four`,
    ...['data: 1', '1\n\n', 'data: 1\n\ndata: 2\n\n', 'data: 1\r\n\n', 'data: 1\nid: 1\n\n', '\n\n'].map(
      (event) => `${line('o', 1, 'acme', 'todos', [event.length])}${event}`,
    ),
  ]
  for (const message of wrong) nats().publish(subject, message)
  one.bus.publish('acme', { topic: 'todos', bytes: Buffer.from('data: 1\n\n') })
  await until('the real event', async () => seen.length > 0, 60_000)
  assert.equal(seen, ['data: 1\n\n'])
  assert.is(other.skipped.length - before, wrong.length)
  close()
})

test.run()
