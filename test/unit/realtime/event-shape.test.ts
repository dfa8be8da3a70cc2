import { EventSchemas } from '@ag-ui/core/schemas'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventProblem } from '../../../plugins/realtime/runs/event-shape.ts'
import { shapeCases } from '../../support/vectors/agui.ts'

test('eventProblem agrees with the official validator on events of each type', () => {
  for (const { name, valid, event } of shapeCases()) assert.is(eventProblem(event) === null, valid, name)
})

const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.oneof(fc.string(), fc.constant(1)) }),
  fc.record({
    type: fc.constantFrom('image', 'nope'),
    source: fc.record(
      {
        type: fc.constantFrom('data', 'url', 'file', 'x'),
        value: fc.string(),
        mimeType: fc.constantFrom('a/b', null, 1),
      },
      { requiredKeys: ['type', 'value'] },
    ),
  }),
)
const patch = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'zap'),
    path: fc.constantFrom('', '/a', '/a~0', '/a~2', 'a'),
    from: fc.constantFrom('/b', 'b'),
    value: fc.constantFrom(null, 1, 'x'),
  },
  { requiredKeys: ['op', 'path'] },
)
const message = fc.record(
  {
    id: fc.constantFrom('m', 1),
    role: fc.constantFrom('developer', 'system', 'assistant', 'user', 'tool', 'activity', 'reasoning', 'robot'),
    content: fc.oneof(fc.string(), fc.constant(null), fc.array(part, { maxLength: 2 }), fc.constant({ a: 1 })),
    toolCallId: fc.constantFrom('c', null),
    activityType: fc.constantFrom('plan', 1),
    name: fc.constantFrom('n', null),
    metadata: fc.constantFrom({ a: null }, null, []),
    toolCalls: fc.constantFrom(
      [],
      null,
      [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
      [{ id: 'c' }],
    ),
  },
  { requiredKeys: ['id', 'role'] },
)
const outcome = fc.constantFrom(
  null,
  { type: 'success' },
  { type: 'success', pendingToolCallIds: ['a', 1] },
  { type: 'interrupt' },
  { type: 'interrupt', interrupts: [] },
  { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r' }] },
  { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r', responseSchema: null }] },
  { type: 'cancelled' },
  { type: 'suspended', interruptIds: ['x'] },
)
const event = fc.oneof(
  fc.record({
    type: fc.constant('TOOL_CALL_RESULT'),
    messageId: fc.constant('m'),
    toolCallId: fc.constant('c'),
    content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 })),
  }),
  fc.record({ type: fc.constant('STATE_DELTA'), delta: fc.array(patch, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('MESSAGES_SNAPSHOT'), messages: fc.array(message, { maxLength: 3 }) }),
  fc.record(
    {
      type: fc.constant('RUN_STARTED'),
      threadId: fc.constant('t'),
      runId: fc.constant('r'),
      input: fc.record(
        {
          threadId: fc.constant('t'),
          runId: fc.constant('r'),
          messages: fc.array(message, { maxLength: 2 }),
          tools: fc.constantFrom([], [{ name: 'n' }], [{ name: 'n', description: 'd' }]),
          state: fc.constantFrom(null, 1, {}),
          resume: fc.constantFrom(
            [],
            [{ interruptId: 'i', status: 'resolved' }],
            [{ interruptId: 'i', status: 'open' }],
          ),
        },
        { requiredKeys: ['threadId', 'messages'] },
      ),
    },
    { requiredKeys: ['type', 'threadId', 'runId'] },
  ),
  fc.record(
    {
      type: fc.constant('RUN_FINISHED'),
      threadId: fc.constant('t'),
      runId: fc.constant('r'),
      outcome,
      usage: fc.constantFrom([], [{ inputTokens: 1 }], [{ inputTokens: -1 }], [{ model: 1 }]),
      result: fc.constantFrom(1, null),
    },
    { requiredKeys: ['type', 'threadId', 'runId'] },
  ),
  fc.record(
    { type: fc.constant('SUBAGENT_FINISHED'), subagentRunId: fc.constant('s'), outcome },
    { requiredKeys: ['type', 'subagentRunId'] },
  ),
  fc.record(
    {
      type: fc.constant('ACTIVITY_SNAPSHOT'),
      messageId: fc.constant('m'),
      activityType: fc.constant('p'),
      content: fc.constantFrom({}, [], null, 1),
      replace: fc.constantFrom(true, null),
    },
    { requiredKeys: ['type', 'messageId', 'activityType', 'content'] },
  ),
)

test('eventProblem agrees with the official validator on nested shapes', () => {
  fc.assert(
    fc.property(event, (value) => {
      assert.is(eventProblem(value) === null, EventSchemas.safeParse(value).success, JSON.stringify(value))
    }),
    { numRuns: 3000 },
  )
})

test('optional members that are null are removed where that is asked for, unless the object is frozen', () => {
  const make = () => ({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: null, metadata: null })
  const event = make()
  assert.is(eventProblem(event, 256, true), null)
  assert.equal(event, { type: 'TEXT_MESSAGE_START', messageId: 'm' })
  assert.match(eventProblem(make())!, 'TEXT_MESSAGE_START.role')
  assert.match(eventProblem(Object.freeze(make()), 256, true)!, 'TEXT_MESSAGE_START.role')
})

test('eventProblem names the field and never its content', () => {
  assert.is(
    eventProblem({ type: 'STEP_STARTED', stepName: 7 }),
    'STEP_STARTED.stepName is missing or of the wrong kind',
  )
  assert.is(eventProblem({ type: 'constructor' }), 'type is not an AG-UI 1.0 event type')
})

test.run()
