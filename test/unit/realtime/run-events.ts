import fc from 'fast-check'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { eventProblem } from '../../../plugins/realtime/runs/event-shape.ts'
import { RunOrder } from '../../../plugins/realtime/runs/order/run-order.ts'

const message = fc.constantFrom('m1', 'm2', 'm3')
const thought = fc.constantFrom('t1', 't2')
const call = fc.constantFrom('c1', 'c2')
const sub = fc.constantFrom(undefined, undefined, 's1', 's2')
const text = fc.constantFrom('a', '{"x":', 'é ', '')
const metadata = fc.constantFrom(undefined, undefined, { k: 1 }, { k: 2, l: null })
const pointer = fc.constantFrom('/a', '/a/b', '/l', '/l/0', '/l/-', '/a~1b')
const patch = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constantFrom('add', 'replace', 'test'),
      path: pointer,
      value: fc.constantFrom(1, null, 'v', { b: 1 }, [1]),
    }),
    fc.record({
      op: fc.constantFrom('add', 'replace'),
      path: fc.constant(''),
      value: fc.constantFrom({ a: { b: 1 }, l: [] }, {}),
    }),
    fc.record({ op: fc.constant('remove'), path: fc.constantFrom('/a', '/a/b', '/l/0') }),
    fc.record({
      op: fc.constantFrom('move', 'copy'),
      from: fc.constantFrom('/a', '/l'),
      path: fc.constantFrom('/l/-', '/c', '/a~1b'),
    }),
  ),
  { maxLength: 3 },
)

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>

function event(type: string, fields: Fields): fc.Arbitrary<AgUiEvent> {
  return fc
    .record({ type: fc.constant(type), ...fields })
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as AgUiEvent)
}

const optional = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.option(values, { nil: undefined })
const tagged = { subagentRunId: sub, metadata }

/** Events of every type with few ids. Most of them are not allowed at their position. */
export const anyEvent: fc.Arbitrary<AgUiEvent> = fc.oneof(
  event('TEXT_MESSAGE_START', {
    messageId: message,
    role: fc.constantFrom('assistant', undefined),
    name: fc.constantFrom(undefined, 'n'),
    ...tagged,
  }),
  event('TEXT_MESSAGE_START', { messageId: fc.constant('m3'), role: fc.constantFrom('user', 'developer'), ...tagged }),
  event('TEXT_MESSAGE_CONTENT', { messageId: message, delta: text, ...tagged }),
  event('TEXT_MESSAGE_CONTENT', { messageId: message, delta: text }),
  event('TEXT_MESSAGE_END', { messageId: message, metadata }),
  event('TEXT_MESSAGE_CHUNK', { messageId: optional(message), delta: optional(text), ...tagged }),
  event('TOOL_CALL_START', {
    toolCallId: call,
    toolCallName: fc.constantFrom('f', 'g'),
    parentMessageId: optional(fc.constantFrom('m1', 'm2')),
    ...tagged,
  }),
  event('TOOL_CALL_ARGS', { toolCallId: call, delta: text, metadata }),
  event('TOOL_CALL_END', { toolCallId: call, metadata }),
  event('TOOL_CALL_CHUNK', {
    toolCallId: optional(call),
    toolCallName: optional(fc.constant('f')),
    parentMessageId: optional(fc.constantFrom('m1', 'm2')),
    delta: optional(text),
    ...tagged,
  }),
  event('TOOL_CALL_RESULT', {
    messageId: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
    toolCallId: call,
    content: fc.constantFrom('ok', [{ type: 'text', text: 'p' }]),
    ...tagged,
  }),
  event('STATE_SNAPSHOT', { snapshot: fc.constantFrom({ a: 1, l: [] }, { a: { b: 2 } }) }),
  event('STATE_DELTA', { delta: patch, subagentRunId: sub }),
  event('STEP_STARTED', { stepName: fc.constantFrom('x', 'y'), ...tagged }),
  event('STEP_FINISHED', { stepName: fc.constantFrom('x', 'y'), ...tagged }),
  event('REASONING_START', { messageId: thought, ...tagged }),
  event('REASONING_MESSAGE_START', { messageId: thought, role: fc.constant('reasoning'), ...tagged }),
  event('REASONING_MESSAGE_CONTENT', { messageId: thought, delta: text, metadata }),
  event('REASONING_MESSAGE_END', { messageId: thought, metadata }),
  event('REASONING_MESSAGE_CHUNK', { messageId: optional(thought), delta: optional(text), ...tagged }),
  event('REASONING_END', { messageId: thought }),
  event('REASONING_ENCRYPTED_VALUE', {
    subtype: fc.constant('message'),
    entityId: fc.oneof(message, thought),
    encryptedValue: fc.constant('e'),
  }),
  event('REASONING_ENCRYPTED_VALUE', {
    subtype: fc.constant('tool-call'),
    entityId: call,
    encryptedValue: fc.constant('e'),
    subagentRunId: sub,
  }),
  event('ACTIVITY_SNAPSHOT', {
    messageId: fc.constantFrom('a1', 'a2'),
    activityType: fc.constantFrom('plan', 'search'),
    content: fc.constantFrom({ a: 1 }, { l: [1] }),
    replace: fc.constantFrom(undefined, false),
    ...tagged,
  }),
  event('ACTIVITY_DELTA', {
    messageId: fc.constantFrom('a1', 'a2'),
    activityType: fc.constantFrom('plan', 'search'),
    patch,
    metadata,
  }),
  event('SUBAGENT_STARTED', {
    subagentRunId: fc.constantFrom('s1', 's2', 's3'),
    name: fc.constant('n'),
    parentSubagentRunId: fc.constantFrom(undefined, 's1', 's2'),
  }),
  event('SUBAGENT_FINISHED', { subagentRunId: fc.constantFrom('s1', 's2', 's3') }),
  event('SUBAGENT_ERROR', { subagentRunId: fc.constantFrom('s1', 's2', 's3'), message: fc.constant('no') }),
  event('CUSTOM', { name: fc.constant('n'), value: fc.constant(1), subagentRunId: sub }),
  event('RAW', { event: fc.constant({}) }),
)

const messages = fc.constantFrom(
  [],
  [{ id: 'm1', role: 'assistant', content: 'given' }],
  [
    { id: 'u', role: 'user', content: 'hi' },
    {
      id: 'm2',
      role: 'assistant',
      content: 'x',
      toolCalls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ],
  [{ id: 't1', role: 'reasoning', content: 'deep' }],
  [{ id: 'a1', role: 'activity', activityType: 'plan', content: { a: 0 } }],
)
const snapshot = event('MESSAGES_SNAPSHOT', {
  messages,
  metadata: fc.constantFrom(
    undefined,
    { '@ag-ui/client': { authoritativeActivityTypes: ['plan'] } },
    { '@ag-ui/client': { authoritativeActivityTypes: null } },
  ),
})

const started = fc.constantFrom<AgUiEvent>(
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  {
    type: 'RUN_STARTED',
    threadId: 't',
    runId: 'r',
    input: {
      threadId: 't',
      runId: 'r',
      messages: [{ id: 'u', role: 'user', content: 'hi' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  },
)

/**
 * Runs that satisfy the order rules: random events, without the ones that are not allowed, and with everything closed
 * at the end.
 */
export const wholeRun: fc.Arbitrary<readonly AgUiEvent[]> = fc
  .tuple(
    started,
    fc.array(fc.oneof({ weight: 30, arbitrary: anyEvent }, { weight: 1, arbitrary: snapshot }), {
      minLength: 40,
      maxLength: 150,
    }),
    fc.boolean(),
  )
  .map(([start, candidates, fails]) => {
    const order = new RunOrder()
    const events: AgUiEvent[] = []
    const add = (candidate: AgUiEvent): boolean => {
      if (eventProblem(candidate) !== null) return false
      // A result creates a message, and message ids are unique in a conversation.
      if (
        candidate.type === 'TOOL_CALL_RESULT' &&
        order.ownerOf('message', candidate.messageId as string) !== undefined
      )
        return false
      try {
        order.append([candidate])
      } catch {
        return false
      }
      events.push(candidate)
      return true
    }
    add(start)
    for (const candidate of candidates) {
      // No sensible producer sends a snapshot that drops open items. Other snapshots may come at any point. The same
      // holds for a snapshot that drops items of a sub-agent: their ids could be reused without an owner.
      if (candidate.type === 'MESSAGES_SNAPSHOT' && events.some((event) => event.subagentRunId !== undefined)) continue
      if (
        candidate.type === 'MESSAGES_SNAPSHOT' &&
        order.texts.size + order.calls.size + order.thoughts.size + order.spans.size > 0
      )
        continue
      add(candidate)
    }
    if (fails) add({ type: 'RUN_ERROR', message: 'boom' })
    else {
      for (const owner of [...order.lanes.open.keys()])
        add({ type: 'CUSTOM', name: 'done', value: 1, ...(owner !== undefined && { subagentRunId: owner }) })
      for (const id of [...order.texts.keys()]) add({ type: 'TEXT_MESSAGE_END', messageId: id })
      for (const id of [...order.calls.keys()]) add({ type: 'TOOL_CALL_END', toolCallId: id })
      for (const [id, { subagentRunId }] of [...order.thoughts])
        add({ type: 'REASONING_MESSAGE_END', messageId: id, ...(subagentRunId !== undefined && { subagentRunId }) })
      for (const id of [...order.spans.keys()]) add({ type: 'REASONING_END', messageId: id })
      for (const opener of [...order.steps.values()]) add({ ...opener, type: 'STEP_FINISHED' })
      for (const [id, { end }] of [...order.subagents.all])
        if (end === null) add({ type: 'SUBAGENT_FINISHED', subagentRunId: id })
      if (!add({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' }))
        throw new Error('the generator did not close everything')
    }
    return events
  })
