import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Runs } from '../../../plugins/realtime/runs/api.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { countOf } from '../../support/count.ts'
import { nodes } from '../../support/nodes.ts'
import { readAsClient, withoutAddedOwners } from './agui-judge.ts'
import { type Rig, startRig } from './rig.ts'
import { wholeRun } from './run-events.ts'

const ann = 'acme/ann'
const start: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finish: AgUiEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const say = (delta: string): AgUiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })
const open: AgUiEvent = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
const close: AgUiEvent = { type: 'TEXT_MESSAGE_END', messageId: 'm' }

async function withRun(rig: Rig, events: readonly AgUiEvent[] = [], run_id = 'r'): Promise<void> {
  assert.is((await rig.fetch('/api/svc/runs', { as: ann, body: { run_id } })).status, 201)
  if (events.length > 0) {
    const answer = await rig.fetch(`/api/svc/runs/${run_id}/events`, { as: ann, body: events })
    assert.is(answer.status, 200, await answer.clone().text())
  }
}

test('a standard client takes a run whose position was lost, before its first event too', async () => {
  const rig = await startRig()
  await withRun(rig, [])
  const early = await rig.listen('/api/svc/runs/r/stream?last_event_id=aaaaaaaa-2', { as: ann })
  await rig.fetch('/api/svc/runs/r/events', { as: ann, body: [start, open, say('x')] })
  const late = await rig.listen('/api/svc/runs/r/stream?last_event_id=aaaaaaaa-2', { as: ann })
  await rig.fetch('/api/svc/runs/r/events', { as: ann, body: [close, finish] })
  for (const stream of [early, late]) {
    await stream.ended
    const events = stream.events().map(({ data }) => data as AgUiEvent)
    assert.equal(
      events.map(({ type }) => type),
      ['RUN_STARTED', 'CUSTOM', ...[open, say('x'), close, finish].map(({ type }) => type)],
    )
    await readAsClient(events)
  }
  await rig.stop()
})

test('agui_spec: a standard client can join at every index, live and after the end', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, fc.integer({ min: 3, max: 40 }), async (events, retained) => {
      const rig = await startRig({ 'realtime.run_max_events': retained, 'realtime.max_streams_per_identity': 1000 })
      await withRun(rig)
      const joined = []
      for (const event of events) {
        joined.push(await rig.listen('/api/svc/runs/r/stream?stream_mode=agui_spec', { as: ann }))
        const { status } = await rig.fetch('/api/svc/runs/r/events', { as: ann, body: event })
        assert.is(status, 200)
      }
      const whole = await readAsClient(events)
      for (let cursor = 0; cursor < events.length; cursor++) {
        joined.push(
          await rig.listen(`/api/svc/runs/r/stream?stream_mode=agui_spec&last_event_id=${cursor}`, { as: ann }),
        )
      }
      for (const [index, stream] of joined.entries()) {
        await stream.ended
        const held = await readAsClient(new TextEncoder().encode(stream.text()))
        assert.equal(withoutAddedOwners(held, whole), whole, `join ${index}`)
        const ids = stream.events().map(({ id }) => id)
        const firstId = ids.findIndex((id) => id !== undefined)
        assert.ok(
          ids.slice(firstId).every((id) => id !== undefined),
          'every frame after the prelude has an id',
        )
        const numbers = ids.slice(firstId).map((id) => Number(id!.split('-')[1]))
        assert.equal(
          numbers,
          numbers.map((_, at) => numbers[0]! + at),
          'without gaps',
        )
        assert.is(numbers.at(-1), events.length)
      }
      await rig.stop()
    }),
    { numRuns: countOf({ quick: 8, deep: 60 }) },
  )
})

test('finished runs are removed by number and by age, and silent running runs are ended', async () => {
  const rig = await startRig({
    'realtime.max_finished_runs': 2,
    'realtime.finished_run_ttl_ms': 200,
    'realtime.run_idle_ms': 300,
  })
  const runs = (): Runs => rig.capability('Runs')
  const owner = { user_id: 'ann', tenant_id: 'acme' }
  for (const id of ['a', 'b', 'c']) {
    await runs().create(owner, { run_id: id })
    await runs().append(owner, id, [start, { type: 'RUN_ERROR', message: 'x' }])
  }
  await runs().create(owner, { run_id: 'silent' })
  assert.equal(
    (await runs().list(owner)).map(({ run_id, status }) => `${run_id} ${status}`),
    ['silent running', 'c failed', 'b failed'],
  )
  const silent = await rig.listen('/api/svc/runs/silent/stream', { as: ann })
  await silent.ended
  assert.is(silent.events().at(-1)?.data['code'], 'svc.run.abandoned')
  const remaining = async (): Promise<string[]> => (await runs().list(owner)).map(({ run_id }) => run_id)
  if (nodes().count === 1) assert.equal(await remaining(), ['silent'])
  // With several nodes one node removes ended runs a moment later, and the others follow.
  const isGone = async (): Promise<boolean> => (await remaining()).every((run_id) => run_id === 'silent')
  for (let agreed = 1; agreed < nodes().count; agreed = (await isGone()) ? agreed + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
  await rig.stop()
})

test('the runs of an owner are erased: running ones end for their readers first, and nobody else loses any', async () => {
  const rig = await startRig()
  const owner = { user_id: 'ann', tenant_id: 'acme' }
  const others = [
    { ...owner, user_id: 'bob' },
    { ...owner, tenant_id: 'other' },
  ]
  await withRun(rig, [start, finish], 'ended')
  await withRun(rig, [start], 'running')
  await withRun(rig, [], 'silent')
  for (const other of others) await rig.runs.create(other, { run_id: 'running' })
  const reader = await rig.listen('/api/svc/runs/running/stream', { as: ann })
  await reader.take(1)
  assert.is(await rig.runs.erase(owner), 3)
  await reader.ended
  assert.is(reader.events().at(-1)?.data['code'], 'svc.run.cancelled')
  for (let node = 0; node < nodes().count; node++) {
    assert.equal(await rig.runs.list(owner), [])
    for (const other of others) assert.is((await rig.runs.list(other)).length, 1)
  }
  assert.is(await rig.runs.erase(owner), 0)
  await withRun(rig, [start], 'running')
  await rig.stop()
})

test('the runs of an owner are erased although the limit of ended runs removes some of them meanwhile', async () => {
  const rig = await startRig({ 'realtime.max_finished_runs': 1 })
  const owner = { user_id: 'ann', tenant_id: 'acme' }
  for (const run_id of ['a', 'b', 'c']) await withRun(rig, [start], run_id)
  assert.is(await rig.runs.erase(owner), 3)
  for (let node = 0; node < nodes().count; node++) assert.equal(await rig.runs.list(owner), [])
  await rig.stop()
})

test.run()
