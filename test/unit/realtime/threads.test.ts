/** The stream of a thread: its runs one after another, on one connection, from any position. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { countOf } from '../../support/count.ts'
import { readAsClient, withoutAddedOwners } from './agui-judge.ts'
import { type Rig, startRig } from './rig.ts'
import { wholeRun } from './run-events.ts'

const ann = 'acme/ann'
const start: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finish: AgUiEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const custom = (name: string): AgUiEvent => ({ type: 'CUSTOM', name, value: null })

async function append(rig: Rig, run_id: string, events: readonly AgUiEvent[]): Promise<void> {
  const answer = await rig.fetch(`/api/svc/runs/${run_id}/events`, { as: ann, body: events })
  assert.is(answer.status, 200, await answer.clone().text())
}

async function begin(rig: Rig, run_id: string, thread_id: string, events: readonly AgUiEvent[] = []): Promise<number> {
  const made = await rig.fetch('/api/svc/runs', { as: ann, body: { run_id, thread_id } })
  assert.is(made.status, 201)
  if (events.length > 0) await append(rig, run_id, events)
  return ((await made.json()) as { created_at_ms: number }).created_at_ms
}

const threadOf = (rig: Rig, thread: string, cursor?: string) =>
  rig.listen(`/api/svc/threads/${thread}/stream`, {
    as: ann,
    ...(cursor !== undefined && { headers: { 'last-event-id': cursor } }),
  })

test('at every position of a thread of random runs, what is read before and after it is the whole thread', async () => {
  const rig = await startRig()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(wholeRun, { minLength: 1, maxLength: 3 }), async (runs) => {
      const thread = `cut-${count++}`
      const whole = await threadOf(rig, thread)
      for (const [index, run] of runs.entries()) await begin(rig, `${thread}-${index}`, thread, run)
      const events = await whole.take(runs.flat().length)
      whole.close()
      assert.equal(
        events.map(({ data }) => data),
        JSON.parse(JSON.stringify(runs.flat())),
      )
      for (const at of [0, Math.floor(events.length / 2), events.length - 2]) {
        const { id } = events[at]!
        const rest = await threadOf(rig, thread, id!)
        assert.equal(await rest.take(events.length - at - 1), events.slice(at + 1), id)
        rest.close()
      }
    }),
    { numRuns: countOf({ quick: 10, deep: 200 }), endOnFailure: true },
  )
  await rig.stop()
})

test('a reader without a position gets what a standard client needs for the newest run and those behind it', async () => {
  const rig = await startRig()
  let count = 0
  await fc.assert(
    fc.asyncProperty(wholeRun, wholeRun, fc.nat(), async (first, second, cut) => {
      const thread = `join-${count++}`
      const at = 1 + (cut % (first.length - 1))
      await begin(rig, `${thread}-0`, thread, first.slice(0, at))
      const joined = await threadOf(rig, thread)
      await joined.take(1)
      await append(rig, `${thread}-0`, first.slice(at))
      await begin(rig, `${thread}-1`, thread, second)
      const isAll = (): boolean =>
        joined.events().filter(({ data }) => /^RUN_(FINISHED|ERROR)$/.test(data['type'] as string)).length === 2
      for (let wanted = 1; !isAll(); wanted++) await joined.take(wanted)
      joined.close()
      const read = joined.events().map(({ data }) => data as AgUiEvent)
      const whole = await readAsClient([...first, ...second])
      assert.equal(withoutAddedOwners(await readAsClient(read), whole), whole)
    }),
    { numRuns: countOf({ quick: 10, deep: 200 }), endOnFailure: true },
  )
  await rig.stop()
})

test('runs of one thread have one order: each begins later than the one before', async () => {
  const rig = await startRig()
  const begun: number[] = []
  for (const name of ['z', 'a', 'm', 'b']) begun.push(await begin(rig, name, 't', [start, finish]))
  assert.equal(
    begun,
    [...new Set(begun)].sort((one, other) => one - other),
  )
  const first = await threadOf(rig, 't')
  const [, , prelude] = await first.take(3)
  const { epoch } = (await (await rig.fetch('/api/svc/runs/z', { as: ann })).json()) as { epoch: string }
  const rest = await threadOf(rig, 't', `${epoch}-2.eg`)
  const ids = (await rest.take(6)).map(({ id }) => id!.replace(/^[^.]*/, ''))
  assert.equal(ids, ['.YQ', '.YQ', '.bQ', '.bQ', '.Yg', '.Yg'])
  assert.match(prelude!.id!, /\.Yg$/)
  for (const stream of [first, rest]) stream.close()
  await rig.stop()
})

test('a further run that has lost its beginning comes with a prelude', async () => {
  const rig = await startRig({ 'realtime.run_max_events': 8 })
  await begin(rig, 'one', 't', [start])
  const stream = await threadOf(rig, 't')
  await stream.take(3)
  await begin(rig, 'two', 't', [start])
  for (let number = 0; number < 10; number++) await append(rig, 'two', [custom(`${number}`)])
  await append(rig, 'one', [finish])
  const events = await stream.take(3 + 1 + 3 + 8)
  stream.close()
  assert.equal(
    events.slice(3).map(({ data }) => data['name'] ?? data['type']),
    [
      ...['RUN_FINISHED', 'RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT'],
      ...['2', '3', '4', '5', '6', '7', '8', '9'],
    ],
  )
  await rig.stop()
})

test('a run that is removed before its turn is left out', async () => {
  const rig = await startRig({ 'realtime.max_finished_runs': 2 })
  await begin(rig, 'one', 't', [start])
  const stream = await threadOf(rig, 't')
  await stream.take(3)
  await begin(rig, 'two', 't', [start, finish])
  await begin(rig, 'three', 't', [start, finish])
  await begin(rig, 'four', 't', [start, finish])
  assert.is((await rig.fetch('/api/svc/runs/two', { as: ann })).status, 404)
  await append(rig, 'one', [custom('last'), finish])
  const events = await stream.take(3 + 2 + 2)
  stream.close()
  assert.equal(
    events.slice(3).map(({ id }) => id!.replace(/^[^-]*/, '')),
    ['-2.b25l', '-3.b25l', '-1.Zm91cg', '-2.Zm91cg'],
  )
  await rig.stop()
})

test.run()
