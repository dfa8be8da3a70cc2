/** The limits of the runs of a caller. Only the caller who exceeds a limit is affected. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { RunOwner } from '../../../plugins/realtime/runs/api.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { startRig } from './rig.ts'

const start: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const fail: AgUiEvent = { type: 'RUN_ERROR', message: 'x' }
const fill = (bytes: number): AgUiEvent => ({ type: 'CUSTOM', name: 'fill', value: 'x'.repeat(bytes) })
const owner = (tenant_id: string, user_id: string): RunOwner => ({ tenant_id, user_id })
const [ann, bob, eve] = [owner('acme', 'ann'), owner('acme', 'bob'), owner('evil', 'eve')]

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'taken'
  } catch (error) {
    if (isSvcError(error)) return `${error.status} ${error.code}`
    throw error
  }
}

test('a caller above its share loses its oldest finished runs, then gets 429; other callers lose nothing', async () => {
  const rig = await startRig({ 'realtime.runs_max_bytes': 4_000_000 })
  for (const [who, id] of [
    [ann, 'running'],
    [bob, 'done'],
  ] as const) {
    await rig.runs.create(who, { run_id: id })
    await rig.runs.append(who, id, [start, fill(100_000)])
  }
  await rig.runs.append(bob, 'done', [fail])
  const reader = await rig.listen('/api/svc/runs/running/stream', { as: 'acme/ann' })
  await reader.take(2)
  for (const id of ['old', 'new']) {
    await rig.runs.create(eve, { run_id: id })
    await rig.runs.append(eve, id, [start, fill(200_000), fail])
  }
  await rig.runs.create(eve, { run_id: 'greedy' })
  await rig.runs.append(eve, 'greedy', [start])
  let appended = 0
  let code = 'taken'
  while (code === 'taken' && appended < 100) {
    code = await codeOf(() => rig.runs.append(eve, 'greedy', [fill(100_000)]))
    if (code === 'taken') appended++
  }
  assert.is(code, '429 rate_limited')
  assert.ok(appended >= 5 && appended <= 10, `a quarter of 4 MB: ${appended}`)
  assert.equal(
    (await rig.runs.list(eve)).map(({ run_id }) => run_id),
    ['greedy'],
  )
  assert.is((await rig.runs.get(eve, 'greedy'))!.last_seq, appended + 1)
  assert.is((await rig.runs.get(eve, 'greedy'))!.first_seq, 1, 'its own running run is whole too')
  assert.is(
    await codeOf(async () => {
      for (let i = 0; i < 100; i++) await rig.runs.create(eve)
    }),
    '429 rate_limited',
  )
  // Other callers keep their runs and have room for more. The reader stays connected.
  assert.equal([(await rig.runs.get(ann, 'running'))!.first_seq, (await rig.runs.get(bob, 'done'))!.first_seq], [1, 1])
  await rig.runs.append(ann, 'running', [fill(100_000)])
  await reader.take(3)
  assert.is(reader.events().length, 3)
  reader.close()
  await rig.stop()
})

test('a tenant gets at most half of the memory, however many users it has', async () => {
  const rig = await startRig({ 'realtime.runs_max_bytes': 4_000_000 })
  let taken = 0
  for (let user = 0; user < 40; user++) {
    const who = owner('evil', `u${user}`)
    if ((await codeOf(() => rig.runs.create(who, { run_id: 'r' }))) !== 'taken') break
    if ((await codeOf(() => rig.runs.append(who, 'r', [start, fill(100_000)]))) !== 'taken') break
    taken++
  }
  assert.ok(taken >= 12 && taken <= 20, `half of 4 MB: ${taken}`)
  await rig.runs.create(ann, { run_id: 'r' })
  await rig.runs.append(ann, 'r', [start, fill(100_000)])
  await rig.stop()
})

test('running runs are limited for a caller, a tenant and all callers, over all nodes together', async () => {
  const rig = await startRig({ 'realtime.max_running_runs_per_identity': 3, 'realtime.max_running_runs': 8 })
  const create = (who: RunOwner, run_id: string): Promise<string> => codeOf(() => rig.runs.create(who, { run_id }))
  for (const id of ['a', 'b', 'c']) assert.is(await create(eve, id), 'taken')
  // On several nodes each call goes to the next node: no node has accepted more than one.
  for (let node = 0; node < 3; node++) assert.is(await create(eve, 'd'), '429 rate_limited')
  const mallory = owner('evil', 'mallory')
  assert.is(await create(mallory, 'a'), 'taken')
  for (let node = 0; node < 3; node++) assert.is(await create(mallory, 'b'), '429 rate_limited', 'half of all')
  for (const id of ['a', 'b', 'c']) assert.is(await create(ann, id), 'taken')
  assert.is(await create(bob, 'a'), 'taken')
  const zoe = owner('third', 'zoe')
  for (let node = 0; node < 3; node++) assert.is(await create(zoe, 'a'), '503 overloaded')
  await rig.runs.append(eve, 'a', [start, fail])
  assert.is(await create(zoe, 'a'), 'taken')
  await rig.stop()
})

test('ended runs above the limit are removed from the caller with the most', async () => {
  const rig = await startRig({ 'realtime.max_finished_runs': 10 })
  const end = async (who: RunOwner, id: string): Promise<void> => {
    await rig.runs.create(who, { run_id: id })
    await rig.runs.append(who, id, [start, fail])
  }
  await end(ann, 'mine')
  for (let i = 0; i < 50; i++) await end(eve, `r${i}`)
  assert.ok(await rig.runs.get(ann, 'mine'))
  assert.is((await rig.runs.list(eve)).length, 9)
  const removedOf = async (as: string): Promise<number> => {
    const answer = await rig.fetch('/api/svc/runs?removed=true', { as })
    return ((await answer.json()) as { removed: { count: number } }).removed.count
  }
  // A node learns of the removals of another one from the store.
  for (let turn = 0; turn < 1_000 && (await removedOf('evil/eve')) < 41; turn++) await new Promise(setImmediate)
  assert.equal([await removedOf('evil/eve'), await removedOf('acme/ann')], [41, 0])
  await rig.stop()
})

test('documents, results of sub-agents, ids and member names count as memory of a run', async () => {
  const cases: Readonly<Record<string, (n: number) => AgUiEvent[]>> = {
    state: (n) => [
      {
        type: 'STATE_SNAPSHOT',
        snapshot: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`m${n}-${i}`, 0])),
      },
    ],
    results: (n) => [
      { type: 'SUBAGENT_STARTED', subagentRunId: `s${n}`, name: 'n' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: `s${n}`, result: 'x'.repeat(50_000) },
    ],
    ids: (n) =>
      Array.from({ length: 200 }, (_, i) => ({
        type: 'TOOL_CALL_RESULT',
        messageId: `${n}-${i}-${'x'.repeat(200)}`,
        toolCallId: 'c',
        content: '',
      })),
    patches: (n) => [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: `/k${n}`, value: 'y'.repeat(50_000) }] }],
  }
  for (const [name, events] of Object.entries(cases)) {
    // Few events are retained, so the counted memory is not the log.
    const rig = await startRig({ 'realtime.runs_max_bytes': 8_000_000, 'realtime.run_max_events': 200 })
    let code = 'taken'
    let bytes = 0
    for (let run = 0; run < 60 && code === 'taken'; run++) {
      code = await codeOf(() => rig.runs.create(eve, { run_id: `r${run}` }))
      if (code === 'taken') code = await codeOf(() => rig.runs.append(eve, `r${run}`, [start]))
      for (let n = 0; n < 8 && code === 'taken'; n++) {
        code = await codeOf(() => rig.runs.append(eve, `r${run}`, events(n)))
        bytes += JSON.stringify(events(n)).length
      }
    }
    assert.is(code, '429 rate_limited', name)
    assert.ok(bytes < 2_000_000, `${name}: ${bytes}`)
    await rig.stop()
  }
})

test('the ids, names, operations, size and depth of an event are limited', async () => {
  const rig = await startRig({ 'realtime.run_max_bytes': 200_000 })
  await rig.runs.create(ann, { run_id: 'r' })
  await rig.runs.append(ann, 'r', [start, { type: 'STATE_SNAPSHOT', snapshot: { a: 'x'.repeat(1_000) } }])
  const append = (...events: AgUiEvent[]): Promise<string> => codeOf(() => rig.runs.append(ann, 'r', events))
  const open = (messageId: string): AgUiEvent => ({ type: 'TEXT_MESSAGE_START', messageId })
  assert.is(await append(open('x'.repeat(257))), '400 malformed_request')
  assert.is(await append(open('é'.repeat(129))), '400 malformed_request', 'bytes, not characters')
  assert.is(await append(open('é'.repeat(128))), 'taken')
  assert.is(await append({ type: 'STEP_STARTED', stepName: 'x'.repeat(257) }), '400 malformed_request')
  assert.is(await append({ type: 'CUSTOM', name: 'x'.repeat(257), value: 1 }), '400 malformed_request')
  assert.is(await append({ ...open('m'), subagentRunId: 'x'.repeat(257) }), '400 malformed_request')

  const operations = (length: number): AgUiEvent => ({
    type: 'STATE_DELTA',
    delta: Array.from({ length }, () => ({ op: 'replace', path: '/a', value: 1 })),
  })
  assert.is(await append(operations(1_001)), '400 malformed_request')
  assert.is(await append(operations(500)), 'taken')

  const before = (await rig.runs.get(ann, 'r'))!.last_seq
  const copies = Array.from({ length: 30 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }))
  assert.is(await append(open('in the same batch'), { type: 'STATE_DELTA', delta: copies }), '400 malformed_request')
  assert.is(
    await append({ type: 'STATE_SNAPSHOT', snapshot: Array.from({ length: 30_000 }, () => 0) }),
    '413 payload_too_large',
  )
  assert.is((await rig.runs.get(ann, 'r'))!.last_seq, before)
  assert.is(await append(open('in the same batch')), 'taken', 'nothing of the refused batch was kept')

  const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  for (const levels of [600, 5_000, 100_000]) {
    assert.is(await append({ type: 'CUSTOM', name: 'n', value: deep(levels) }), '400 malformed_request')
    assert.is(
      await append({ type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'user', content: '', x: deep(levels) }] }),
      '400 malformed_request',
    )
  }
  assert.is(
    await append({ type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'u', role: 'user', content: '', toolCalls: 7 }] }),
    'taken',
  )
  await rig.stop()
})

test.run()
