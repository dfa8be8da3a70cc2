/**
 * Agents behind runs on three shipped nodes: called by one node, read and cancelled through any, while nodes and NATS
 * go away.
 */
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokenFor } from '../../conformance/caller.ts'
import { measureLoopDelay } from '../../support/loop-delay.ts'
import { testUnless } from '../../support/skip.ts'
import {
  type Behaviour,
  begin,
  type CallIds,
  frame,
  said,
  startAgent,
  type TestAgent,
} from '../realtime/agent-server.ts'
import { type Answer, type Cluster, noCluster, startCluster, until } from './rig.ts'
import { type Reading, readRun } from './run-reader.ts'

const test = suite('cluster: agents behind runs')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster, name, work)

const LIMIT_MS = 60_000
const RUNS = '/api/svc/runs'

let cluster: Cluster
let agent: TestAgent
let as: string
const open: Reading[] = []
/** What the agent says next in each run; by the id of the run. */
const talking = new Map<string, (text: string | null) => void>()

/** An agent that says what the test says. */
const parrot: Behaviour = (response, ids: CallIds) => {
  const [started, opened, , closed, finished] = said(ids, '').map(frame)
  begin(response).write(started! + opened!)
  talking.set(ids.runId, (text) => {
    if (text === null) response.end(closed! + finished!)
    else response.write(frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text }))
  })
}

test.before(async () => {
  if (noCluster !== undefined) return
  agent = await startAgent({ parrot, leaving: parrot })
  cluster = await startCluster(3, {
    SVC_REALTIME__AGENTS: JSON.stringify({
      parrot: { url: `${agent.url}/parrot` },
      leaving: { url: `${agent.url}/leaving`, on_disconnect: 'cancel' },
    }),
    SVC_REALTIME__MAX_AGENT_CALLS_PER_IDENTITY: '32',
  })
  as = tokenFor({ user: 'ann', tenant: 'acme' })
})
test.after.each(() => {
  for (const one of open.splice(0)) one.close()
})
test.after(async () => {
  await cluster?.stop()
  await agent?.close()
})

const call = (runId: string, node: number, name = 'parrot'): Promise<Answer> =>
  cluster.send(`/api/svc/agents/${name}`, {
    ...{ method: 'POST', as, node, headers: { accept: 'application/json' } },
    body: { runId, threadId: 't', tools: [], context: [], forwardedProps: {}, state: {}, messages: [] },
  })

/** Calls an agent. A node that has just found its NATS again may refuse calls for a moment. */
const startCall = (runId: string, node: number, name?: string): Promise<unknown> =>
  until('the call is taken', async () => (await call(runId, node, name)).status === 202, LIMIT_MS)

const read = async (run: string, node: number): Promise<Reading> => {
  const reading = await readRun(cluster.nodes[node]!.base, run, { as })
  open.push(reading)
  return reading
}

const isGone = (run: string): boolean =>
  agent.requests.find(({ body }) => (JSON.parse(body) as CallIds).runId === run)?.isGone() === true

const say = async (run: string, text: string | null): Promise<void> => {
  await until('the agent is called', async () => talking.has(run), LIMIT_MS)
  talking.get(run)!(text)
}

const textOf = ({ events }: Pick<Reading, 'events'>): string => events.map(({ delta }) => delta ?? '').join('')
const statusOf = async (run: string, node: number): Promise<unknown> =>
  (await cluster.send(`${RUNS}/${run}`, { as, node })).body['status']

/** Waits until a run that nobody reads is cancelled, which takes as long as it would take any other run. */
async function leave(run: string): Promise<void> {
  assert.is((await call(run, 0, 'leaving')).status, 202)
  await until('it is cancelled', async () => (await statusOf(run, 0)) === 'cancelled', LIMIT_MS)
}

it('a run is read on every node, its owner cannot append to it on any, and it ends on all', async () => {
  assert.is((await call('read', 0)).status, 202)
  const readers = await Promise.all([0, 1, 2].map((node) => read('read', node)))
  await say('read', 'one ')
  for (const reader of readers) await until('the word is there', async () => textOf(reader) === 'one ', LIMIT_MS)
  for (const node of [0, 1, 2]) {
    const appended = await cluster.send(`${RUNS}/read/events`, {
      ...{ method: 'POST', as, node, body: { type: 'CUSTOM', name: 'x', value: 1 } },
    })
    assert.equal([appended.status, appended.code], [409, 'run_event_order'], `node ${node}`)
  }
  await say('read', null)
  for (const reader of readers) await until('it ends', async () => reader.over, LIMIT_MS)
  assert.is(await statusOf('read', 1), 'finished')
  for (const { ids } of readers) assert.equal(ids, readers[0]!.ids)
})

it('the same request on all nodes at once is one call, which all of them join; another body is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const run = `same-${round}`
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((node) => call(run, node)))
    assert.equal(
      answers.map(({ status, code }) => `${status} ${code}`).filter((one) => one !== '202 undefined'),
      [],
    )
    assert.is(answers.filter(({ headers }) => headers.get('svc-run-joined') === 'true').length, 5)
    await say(run, null)
    await until('it ends', async () => (await statusOf(run, 2)) === 'finished', LIMIT_MS)
    assert.is(agent.requests.filter(({ body }) => (JSON.parse(body) as CallIds).runId === run).length, 1)
  }
  assert.equal((await call('same-0', 1, 'leaving')).code, 'run_exists')
})

it('a cancel on any node ends the call on the node where it runs, within a second', async () => {
  await startCall('cancelled', 0)
  const reader = await read('cancelled', 2)
  await say('cancelled', 'one ')
  await until('the word is there', async () => textOf(reader) === 'one ', LIMIT_MS)
  const loop = measureLoopDelay()
  const answer = await cluster.send(`${RUNS}/cancelled/cancel`, { method: 'POST', as, node: 1 })
  assert.equal([answer.status, answer.body['status']], [200, 'cancelled'])
  const ms = await until('the call is aborted', async () => isGone('cancelled'), LIMIT_MS)
  assert.ok(ms < 1_000 + loop.maxMs, `after ${ms} ms, in a process that was ${loop.maxMs} ms late`)
  await until('the reader has the end', async () => reader.events.at(-1)?.['code'] === 'svc.run.cancelled', LIMIT_MS)
})

it('a run that is cancelled without readers goes on while another node has one', async () => {
  await startCall('left', 0, 'leaving')
  const elsewhere = await read('left', 1)
  await say('left', 'one ')
  await until('the word is there', async () => textOf(elsewhere) === 'one ', LIMIT_MS)
  await leave('left-alone')
  assert.is(await statusOf('left', 2), 'running')
  elsewhere.close()
  await until('it is cancelled', async () => (await statusOf('left', 2)) === 'cancelled', LIMIT_MS)
  await until('the call is aborted', async () => isGone('left'), 60_000)
})

it('NATS away for a while holds a call, which goes on when NATS is back', async () => {
  await startCall('held', 0)
  const reader = await read('held', 1)
  await say('held', 'one ')
  await until('the word is there', async () => textOf(reader) === 'one ', LIMIT_MS)
  await cluster.nats.kill()
  await say('held', 'two ')
  await cluster.nats.start()
  await say('held', 'three ')
  await say('held', null)
  await until('it has ended', async () => (await statusOf('held', 2).catch(() => '')) === 'finished', LIMIT_MS)
  const whole = await read('held', 2)
  await until('all is read', async () => whole.over, LIMIT_MS)
  assert.is(textOf(whole), 'one two three ')
})

it('NATS away for longer than a call is held ends the call; the run says so when NATS is back, and keeps what was read', async () => {
  await startCall('lost', 0)
  const reader = await read('lost', 1)
  await say('lost', 'one ')
  await until('the word is there', async () => textOf(reader) === 'one ', LIMIT_MS)
  await cluster.nats.kill()
  await say('lost', 'two ')
  // 30 s by the clock of the node, because no setting shortens it.
  await until('the call is given up', async () => isGone('lost'), 2 * LIMIT_MS)
  await cluster.nats.start()
  await until('it has ended', async () => (await statusOf('lost', 2).catch(() => '')) === 'failed', LIMIT_MS)
  const whole = await read('lost', 2)
  await until('all is read', async () => whole.over, LIMIT_MS)
  assert.is(whole.events.at(-1)?.['code'], 'svc.run.store_unavailable')
  assert.match(textOf(whole), /^one /)
})

it('a node that stops waits for its calls, and their readers stay; readers of other calls are sent away, which ends no run', async () => {
  const node = await cluster.join()
  const last = cluster.nodes.length - 1
  await startCall('drained', last)
  await startCall('awaited', 0, 'leaving')
  const stays = await Promise.all([last, 1].map((one) => read('drained', one)))
  const sentAway = await read('awaited', last)
  await say('drained', 'one ')
  for (const reader of stays) await until('the word is there', async () => textOf(reader) === 'one ', LIMIT_MS)
  const stopped = node.stop()
  await until('the other reader is sent away', async () => sentAway.over, LIMIT_MS)
  await say('drained', 'two ')
  await say('drained', null)
  for (const reader of stays) {
    await until('it ends', async () => reader.over, LIMIT_MS)
    assert.equal([textOf(reader), reader.events.at(-1)?.type], ['one two ', 'RUN_FINISHED'])
  }
  await stopped
  cluster.nodes.pop()
  await leave('left-alone-again')
  assert.is(await statusOf('awaited', 1), 'running', 'its reader may come back')
  const back = await read('awaited', 1)
  await say('awaited', 'one ')
  await until('it is back', async () => textOf(back) === 'one ', LIMIT_MS)
  // By then the calling node has seen the reader.
  await leave('left-once-more')
  back.close()
  await until('it is cancelled', async () => (await statusOf('awaited', 1)) === 'cancelled', LIMIT_MS)
})

it('of a node that is killed every run ends, and nothing that a reader on another node saw is missing', async () => {
  const runs = Array.from({ length: 12 }, (_, n) => `killed-${n}`)
  for (const run of runs) assert.is((await call(run, 0)).status, 202)
  const readers = await Promise.all(runs.map((run) => read(run, 1)))
  for (const [n, run] of runs.entries()) for (let word = 0; word <= n; word++) await say(run, `${word} `)
  for (const [n, reader] of readers.entries())
    await until('the words are there', async () => reader.events.length >= n + 3, LIMIT_MS)
  // One more, created at this moment: it may or may not be there, but does not stay open.
  const dying = call('killed-late', 0).catch(() => undefined)
  const [killed] = cluster.nodes
  await killed!.child.stop('SIGKILL')
  await dying
  for (const [n, run] of runs.entries()) {
    await until('it has ended', async () => readers[n]!.over, 120_000)
    assert.is(readers[n]!.events.at(-1)?.['code'], 'svc.run.orphaned', run)
    const whole = await read(run, 2)
    await until('all is read', async () => whole.over, LIMIT_MS)
    assert.equal(whole.ids, readers[n]!.ids)
    assert.equal(whole.events, readers[n]!.events)
  }
  const left = await cluster.send(`${RUNS}?status=running`, { as, node: 1 })
  assert.equal([left.status, left.body['runs']], [200, []])
  rmSync(killed!.folder, { recursive: true, force: true })
  cluster.nodes.shift()
})

test.run()
