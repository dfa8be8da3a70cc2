/** What the runs of a caller may cost, and that it is he who pays. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import type { RunOwner } from '../../../plugins/realtime/api.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { startRig } from './rig.ts'

const start: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const fail: AgUiEvent = { type: 'RUN_ERROR', message: 'x' }
const fill = (bytes: number): AgUiEvent => ({ type: 'CUSTOM', name: 'fill', value: 'x'.repeat(bytes) })
const owner = (tenant_id: string, user_id: string): RunOwner => ({ tenant_id, user_id })
const [ann, bob, eve] = [owner('acme', 'ann'), owner('acme', 'bob'), owner('evil', 'eve')]

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'taken'
  } catch (error) {
    if (isSvcError(error)) return `${error.status} ${error.code}`
    throw error
  }
}

test('who is over its share loses its own oldest finished runs, then is refused; nobody else loses anything', async () => {
  const rig = await startRig({ 'realtime.runs_max_bytes': 4_000_000 })
  const runs = rig.runs
  for (const [who, id] of [
    [ann, 'running'],
    [bob, 'done'],
  ] as const) {
    runs.create(who, { run_id: id })
    runs.append(who, id, [start, fill(100_000)])
  }
  runs.append(bob, 'done', [fail])
  const reader = await rig.listen('/api/svc/runs/running/stream', { as: 'acme/ann' })
  await reader.take(2)
  for (const id of ['old', 'new']) {
    runs.create(eve, { run_id: id })
    runs.append(eve, id, [start, fill(200_000), fail])
  }
  runs.create(eve, { run_id: 'greedy' })
  runs.append(eve, 'greedy', [start])
  let appended = 0
  let code = 'taken'
  while (code === 'taken' && appended < 100) {
    code = codeOf(() => runs.append(eve, 'greedy', [fill(100_000)]))
    if (code === 'taken') appended++
  }
  assert.is(code, '429 rate_limited')
  assert.ok(appended >= 5 && appended <= 10, `a quarter of 4 MB: ${appended}`)
  assert.equal(
    runs.list(eve).map(({ run_id }) => run_id),
    ['greedy'],
  )
  assert.is(runs.get(eve, 'greedy')!.last_seq, appended + 1)
  assert.is(runs.get(eve, 'greedy')!.first_seq, 1, 'its own running run is whole too')
  assert.is(
    codeOf(() => {
      for (let i = 0; i < 100; i++) runs.create(eve)
    }),
    '429 rate_limited',
  )
  // The others: all that they had, and room for more; the reader stays.
  assert.equal([runs.get(ann, 'running')!.first_seq, runs.get(bob, 'done')!.first_seq], [1, 1])
  runs.append(ann, 'running', [fill(100_000)])
  await reader.take(3)
  assert.is(reader.events().length, 3)
  reader.close()
  await rig.stop()
})

test('a tenant has half of all, however many users it has', async () => {
  const rig = await startRig({ 'realtime.runs_max_bytes': 4_000_000 })
  const runs = rig.runs
  let taken = 0
  for (let user = 0; user < 40; user++) {
    const who = owner('evil', `u${user}`)
    if (codeOf(() => runs.create(who, { run_id: 'r' })) !== 'taken') break
    if (codeOf(() => runs.append(who, 'r', [start, fill(100_000)])) !== 'taken') break
    taken++
  }
  assert.ok(taken >= 12 && taken <= 20, `half of 4 MB: ${taken}`)
  runs.create(ann, { run_id: 'r' })
  runs.append(ann, 'r', [start, fill(100_000)])
  await rig.stop()
})

test('ended runs over the limit go from whoever has the most', async () => {
  const rig = await startRig({ 'realtime.max_finished_runs': 10 })
  const runs = rig.runs
  const end = (who: RunOwner, id: string): void => {
    runs.create(who, { run_id: id })
    runs.append(who, id, [start, fail])
  }
  end(ann, 'mine')
  for (let i = 0; i < 50; i++) end(eve, `r${i}`)
  assert.ok(runs.get(ann, 'mine'))
  assert.is(runs.list(eve).length, 9)
  await rig.stop()
})

test('everything that a run holds counts: documents, results of sub-agents, ids, names of members', async () => {
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
    // One event retained: what is counted is not the log.
    const rig = await startRig({ 'realtime.runs_max_bytes': 8_000_000, 'realtime.run_max_events': 200 })
    const runs = rig.runs
    let code = 'taken'
    let bytes = 0
    for (let run = 0; run < 60 && code === 'taken'; run++) {
      code = codeOf(() => runs.create(eve, { run_id: `r${run}` }))
      if (code === 'taken') code = codeOf(() => runs.append(eve, `r${run}`, [start]))
      for (let n = 0; n < 8 && code === 'taken'; n++) {
        code = codeOf(() => runs.append(eve, `r${run}`, events(n)))
        bytes += JSON.stringify(events(n)).length
      }
    }
    assert.is(code, '429 rate_limited', name)
    assert.ok(bytes < 2_000_000, `${name}: ${bytes}`)
    await rig.stop()
  }
})

test('what an event may cost: ids and names, operations, sizes, depth, number', async () => {
  const rig = await startRig({ 'realtime.run_max_bytes': 200_000 })
  const runs = rig.runs
  runs.create(ann, { run_id: 'r' })
  runs.append(ann, 'r', [start, { type: 'STATE_SNAPSHOT', snapshot: { a: 'x'.repeat(1_000) } }])
  const append = (...events: AgUiEvent[]): string => codeOf(() => runs.append(ann, 'r', events))
  const open = (messageId: string): AgUiEvent => ({ type: 'TEXT_MESSAGE_START', messageId })
  assert.is(append(open('x'.repeat(257))), '400 malformed_request')
  assert.is(append(open('é'.repeat(129))), '400 malformed_request', 'bytes, not characters')
  assert.is(append(open('é'.repeat(128))), 'taken')
  assert.is(append({ type: 'STEP_STARTED', stepName: 'x'.repeat(257) }), '400 malformed_request')
  assert.is(append({ type: 'CUSTOM', name: 'x'.repeat(257), value: 1 }), '400 malformed_request')
  assert.is(append({ ...open('m'), subagentRunId: 'x'.repeat(257) }), '400 malformed_request')

  const operations = (length: number): AgUiEvent => ({
    type: 'STATE_DELTA',
    delta: Array.from({ length }, () => ({ op: 'replace', path: '/a', value: 1 })),
  })
  assert.is(append(operations(1_001)), '400 malformed_request')
  assert.is(append(operations(500)), 'taken')

  const before = runs.get(ann, 'r')!.last_seq
  const copies = Array.from({ length: 30 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }))
  assert.is(append(open('in the same batch'), { type: 'STATE_DELTA', delta: copies }), '400 malformed_request')
  assert.is(
    append({ type: 'STATE_SNAPSHOT', snapshot: Array.from({ length: 30_000 }, () => 0) }),
    '413 payload_too_large',
  )
  assert.is(runs.get(ann, 'r')!.last_seq, before)
  assert.is(append(open('in the same batch')), 'taken', 'nothing of the refused batch was kept')

  const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  for (const levels of [600, 5_000, 100_000]) {
    assert.is(append({ type: 'CUSTOM', name: 'n', value: deep(levels) }), '400 malformed_request')
    assert.is(
      append({ type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'user', content: '', x: deep(levels) }] }),
      '400 malformed_request',
    )
  }
  assert.is(
    append({ type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'u', role: 'user', content: '', toolCalls: 7 }] }),
    'taken',
  )
  await rig.stop()
})

test('a batch that no run could retain is refused before it hurts; a reader who keeps up gets all of any other', async () => {
  const rig = await startRig({ 'realtime.run_max_events': 1_000 })
  const runs = rig.runs
  runs.create(ann, { run_id: 'r' })
  runs.append(ann, 'r', [start])
  const reader = await rig.listen('/api/svc/runs/r/stream', { as: 'acme/ann' })
  await reader.take(1)
  const batch = (length: number): AgUiEvent[] =>
    Array.from({ length }, (_, n) => ({ type: 'CUSTOM', name: 'n', value: n }))
  assert.is(
    codeOf(() => runs.append(ann, 'r', batch(1_001))),
    '413 payload_too_large',
  )
  for (let round = 0; round < 3; round++) {
    runs.append(ann, 'r', batch(1_000))
    await reader.take(1 + (round + 1) * 1_000)
  }
  assert.is(reader.events().length, 1 + 3 * 1_000)
  reader.close()
  await rig.stop()
})

test('patches, results and snapshots of large runs cost what they bring, or come slowly', async () => {
  const rig = await startRig({ 'realtime.run_work_per_second': 200_000 })
  const runs = rig.runs
  const began = performance.now()
  runs.create(ann, { run_id: 'wide' })
  const snapshot = Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`m${i}`, i]))
  runs.append(ann, 'wide', [start, { type: 'STATE_SNAPSHOT', snapshot }])
  for (let round = 0; round < 20; round++) {
    const delta = Array.from({ length: 300 }, (_, i) => ({ op: 'replace', path: `/m${round * 300 + i}`, value: 0 }))
    runs.append(ann, 'wide', [{ type: 'STATE_DELTA', delta }])
  }
  runs.create(ann, { run_id: 'long' })
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '' } }
  const messages = [
    { id: 'caller', role: 'assistant', toolCalls: [call] },
    ...Array.from({ length: 10_000 }, (_, i) => ({ id: `t${i}`, role: 'reasoning', content: '' })),
  ]
  runs.append(ann, 'long', [start, { type: 'MESSAGES_SNAPSHOT', messages }])
  for (let i = 0; i < 2_000; i++)
    runs.append(ann, 'long', [{ type: 'TOOL_CALL_RESULT', messageId: `r${i}`, toolCallId: 'c', content: '' }])
  assert.ok(performance.now() - began < 5_000, 'it was a minute when each step copied what it touched')
  // A snapshot of nothing keeps all reasoning, and has to look at each: cheap to send, dear to do.
  let code = 'taken'
  for (let i = 0; i < 200 && code === 'taken'; i++)
    code = codeOf(() => runs.append(ann, 'long', [{ type: 'MESSAGES_SNAPSHOT', messages: [] }]))
  assert.is(code, '429 rate_limited')
  // Others are not slowed by it, nor is what costs nothing.
  runs.append(ann, 'long', [{ type: 'TEXT_MESSAGE_START', messageId: 'm' }])
  runs.create(bob, { run_id: 'r' })
  runs.append(bob, 'r', [start, { type: 'MESSAGES_SNAPSHOT', messages: [] }])
  await rig.stop()
})

test.run()
