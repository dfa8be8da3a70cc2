/** The timeline of a run: times, failures, search, and the states of a run with wide patches. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatch, type PatchOperation } from '../../../plugins/console/page/lib/json-patch.ts'
import { isErrorResult } from '../../../plugins/console/page/views/runs/error-result.ts'
import { failureInWords, isFailure, itemsWith } from '../../../plugins/console/page/views/runs/failures.ts'
import { createStates } from '../../../plugins/console/page/views/runs/states.ts'
import {
  type AgUiEvent,
  between,
  createTimeline,
  type Timeline,
} from '../../../plugins/console/page/views/runs/timeline.ts'
import { countOf } from '../../support/count.ts'

const test = suite('the timeline of a run')

function timelineOf(events: readonly AgUiEvent[]): Timeline {
  const builder = createTimeline()
  for (const [index, event] of events.entries()) builder.add(event, `e-${index + 1}`)
  return builder.now()
}

test('events have the times that the agent gave, and steps and tools their duration', () => {
  const { items } = timelineOf([
    { type: 'STEP_STARTED', stepName: 'plan', timestamp: 1_000 },
    { type: 'TOOL_CALL_START', toolCallId: 't', toolCallName: 'read', timestamp: 1_500 },
    { type: 'TOOL_CALL_END', toolCallId: 't', timestamp: 1_600 },
    { type: 'TOOL_CALL_RESULT', toolCallId: 't', content: '{"ok":true}', timestamp: 4_000 },
    { type: 'STEP_FINISHED', stepName: 'plan', timestamp: 6_000 },
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'CUSTOM', name: 'x', value: 1, timestamp: 1e300 },
  ])
  assert.equal(
    items.map((item) => [item.start.agentMs, item.kind === 'mark' ? item.took?.ms : item.end.agentMs]),
    [
      [1_000, 5_000],
      [1_500, 4_000],
      [6_000, 5_000],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
})

test('nothing is open after the end of the run', () => {
  const begun: readonly AgUiEvent[] = [
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    { type: 'TOOL_CALL_START', toolCallId: 't', toolCallName: 'read' },
  ]
  const open = ({ items }: Timeline) => items.filter((item) => 'isOpen' in item && item.isOpen).length
  assert.is(open(timelineOf(begun)), 2)
  for (const type of ['RUN_FINISHED', 'RUN_ERROR']) assert.is(open(timelineOf([...begun, { type }])), 0, type)
})

test('without times of the agent, events have the times at which they arrived, and durations are by one clock', () => {
  const builder = createTimeline()
  const events: (AgUiEvent & { readonly arrivedMs?: number })[] = [
    { type: 'STEP_STARTED', stepName: 'plan', arrivedMs: 50_000 },
    { type: 'TOOL_CALL_START', toolCallId: 't', toolCallName: 'read', timestamp: 1_500, arrivedMs: 50_100 },
    { type: 'TOOL_CALL_RESULT', toolCallId: 't', content: 'x', arrivedMs: 50_400 },
    { type: 'STEP_FINISHED', stepName: 'plan', timestamp: 6_000, arrivedMs: 52_000 },
    { type: 'STEP_STARTED', stepName: 'old' },
    { type: 'STEP_FINISHED', stepName: 'old', arrivedMs: 53_000 },
  ]
  for (const [index, { arrivedMs, ...event }] of events.entries()) builder.add(event, `e-${index + 1}`, arrivedMs)
  const { items } = builder.now()
  assert.equal(
    items.map((item) => (item.kind === 'mark' ? item.took : between(item.start, item.end))),
    [
      { ms: 2_000, isByArrival: true },
      { ms: 300, isByArrival: true },
      { ms: 2_000, isByArrival: true },
      undefined,
      undefined,
    ],
  )
})

test('a result that says that the tool failed is a failure, in the forms that agents use', () => {
  for (const result of ['{"error":"no"}', '{"isError":true,"content":[]}', '{"ok":false}', 'Error: no such file'])
    assert.ok(isErrorResult(result), result)
  for (const result of ['{"error":null,"rows":2}', '{"errors":0}', 'No error was found.', '[1]', 'null', ''])
    assert.not.ok(isErrorResult(result), result)
  const { items } = timelineOf([
    { type: 'TOOL_CALL_START', toolCallId: 't', toolCallName: 'deploy' },
    { type: 'TOOL_CALL_RESULT', toolCallId: 't', content: [{ type: 'text', text: '{"error":"quota"}' }] },
    { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/nothing' }] },
    { type: 'RUN_ERROR', message: 'gave up' },
  ])
  assert.equal(
    items
      .filter(isFailure)
      .map(failureInWords)
      .map((text) => text.slice(0, 34)),
    ['the tool deploy answered {"error":', 'a change of the state cannot be ap', 'gave up'],
  )
})

test('the items with a text are found, in arguments, results, paths and events', () => {
  const { items } = timelineOf([
    { type: 'TOOL_CALL_START', toolCallId: 't', toolCallName: 'deploy' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 't', delta: '{"region":"Oslo"}' },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/city', value: 'Oslo' }] },
    { type: 'RUN_ERROR', message: 'Bergen' },
  ])
  assert.equal(
    itemsWith(items, ' oslo ').map(({ kind }) => kind),
    ['tool', 'state'],
  )
  assert.equal(
    itemsWith(items, 'bergen').map(({ kind }) => kind),
    ['mark'],
  )
  assert.is(itemsWith(items, ' '), items)
})

test('the state after any change is the one that the patches make, also around patches that cannot be applied', () => {
  const operation: fc.Arbitrary<PatchOperation> = fc.record({
    op: fc.constantFrom('add', 'replace', 'remove'),
    path: fc.constantFrom('/a', '/b', '/list/0', '/list/-'),
    value: fc.integer(),
  })
  const change = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.array(operation, { minLength: 1, maxLength: 2 }).map((operations) => ({ operations })),
    },
    { weight: 1, arbitrary: fc.integer().map((a) => ({ snapshot: { a, list: [a] } })) },
  )
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 700 }), (changes) => {
      const states = createStates()
      let expected: unknown
      const all = changes.map((one) => {
        const { problem } = states.add(one)
        try {
          expected = 'snapshot' in one ? one.snapshot : applyPatch(expected, one.operations)
          assert.is(problem, undefined)
        } catch {
          assert.type(problem, 'string')
        }
        return expected
      })
      assert.equal(states.now, expected)
      for (let number = 0; number < all.length; number += 37) assert.equal(states.after(number), all[number])
      assert.equal(states.after(all.length - 1), expected)
    }),
    { numRuns: countOf({ quick: 10, deep: 300 }) },
  )
})

/** Collects garbage, so that the memory in use is what is kept. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('a run of many patches of a wide object keeps few states', () => {
  const states = createStates()
  const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member-${index}`, index]))
  states.add({ snapshot: wide })
  collect()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < 1_000; index++)
    states.add({ operations: [{ op: 'replace', path: `/member-${index}`, value: -index }] })
  // Each state has 2 000 members, which take some 100 KB: all of them would take 100 MB or more.
  collect()
  const mib = (process.memoryUsage().heapUsed - before) / 1_048_576
  assert.ok(mib < 10, `${mib} MiB`)
  assert.is((states.after(701) as Record<string, number>)['member-700'], -700)
  assert.is((states.after(700) as Record<string, number>)['member-700'], 700)
})

test.run()
