/** AG-UI 1.0: sequences and shapes of events, our own and those of the collections. */
import { EventSchemas } from '@ag-ui/core/schemas'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { collected } from './collections.ts'

/** Events of a run, and whether a standard client accepts their order. */
export interface SequenceCase {
  readonly name: string
  readonly accepted_by_client: boolean
  readonly events: readonly AgUiEvent[]
}

/** A value, and whether it is an event for the official validator. */
export interface ShapeCase {
  readonly name: string
  readonly valid: boolean
  readonly event: unknown
}

/** All sequences. */
export function sequenceCases(): readonly SequenceCase[] {
  const own = [
    ...accepted.map((text) => sequence(text, true)),
    ...refused.map((text) => sequence(text, false)),
    { name: 'no event', accepted_by_client: true, events: [] },
  ]
  return [...own, ...collected<SequenceCase>('agui/sequences_1.0.0.json')]
}

/**
 * All shapes: one event of each type, each of them with every field left out or of another kind, and the collection.
 */
export function shapeCases(): readonly ShapeCase[] {
  const variants = shapes.flatMap((event) => [
    event,
    { ...event, unknown: 1 },
    ...Object.keys(event).flatMap((field) => [
      Object.fromEntries(Object.entries(event).filter(([name]) => name !== field)),
      ...[null, 1, 1.5, -1, true, 'text', [], {}, [null], ['text'], [{}]].map((value) => ({
        ...event,
        [field]: value,
      })),
    ]),
  ])
  const own = [...variants, null, 1, 'RUN_STARTED', [], {}].map((event) => ({
    ...{ name: JSON.stringify(event), event, valid: EventSchemas.safeParse(event).success },
  }))
  return [...own, ...collected<ShapeCase>('agui/event_validation_1.0.0.json')]
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  'RUN+': 'RUN_STARTED threadId=t runId=r',
  'RUN-': 'RUN_FINISHED threadId=t runId=r',
  ERROR: 'RUN_ERROR message=no',
  'TEXT+': 'TEXT_MESSAGE_START role=assistant',
  TEXT: 'TEXT_MESSAGE_CONTENT delta=x',
  'TEXT-': 'TEXT_MESSAGE_END',
  'TEXT~': 'TEXT_MESSAGE_CHUNK',
  'CALL+': 'TOOL_CALL_START toolCallName=f',
  CALL: 'TOOL_CALL_ARGS delta=x',
  'CALL-': 'TOOL_CALL_END',
  'CALL~': 'TOOL_CALL_CHUNK',
  RESULT: 'TOOL_CALL_RESULT content=x',
  'STEP+': 'STEP_STARTED',
  'STEP-': 'STEP_FINISHED',
  'SPAN+': 'REASONING_START',
  'SPAN-': 'REASONING_END',
  'THOUGHT+': 'REASONING_MESSAGE_START role=reasoning',
  THOUGHT: 'REASONING_MESSAGE_CONTENT delta=x',
  'THOUGHT-': 'REASONING_MESSAGE_END',
  'THOUGHT~': 'REASONING_MESSAGE_CHUNK',
  'SUB+': 'SUBAGENT_STARTED name=n',
  'SUB-': 'SUBAGENT_FINISHED',
  'SUB!': 'SUBAGENT_ERROR message=no',
  CUSTOM: 'CUSTOM name=n value=x',
}

const FIELDS: Readonly<Record<string, string>> = {
  ...{ m: 'messageId', c: 'toolCallId', s: 'subagentRunId', step: 'stepName', parent: 'parentSubagentRunId' },
}

/** Reads `RUN+, TEXT+ m=1, …`: an abbreviated event and its fields, in short names. */
function sequence(name: string, accepted_by_client: boolean): SequenceCase {
  const events = name.split(', ').map((short) => {
    const [kind = '', ...fields] = short.split(' ')
    const [type = '', ...given] = (ABBREVIATIONS[kind] ?? kind).split(' ')
    const pairs = [...given, ...fields].map((field) => field.split('=') as [string, string])
    return { type, ...Object.fromEntries(pairs.map(([key, value]) => [FIELDS[key] ?? key, value])) }
  })
  return { name, accepted_by_client, events }
}

const accepted: readonly string[] = [
  'RUN+, RUN-',
  'RUN+, ERROR',
  'ERROR',
  'RUN+, CUSTOM, RUN-',
  'RUN+, TEXT+ m=1, TEXT m=1, TEXT m=1, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, TEXT+ m=2, TEXT m=2, TEXT- m=1, TEXT- m=2, RUN-',
  'RUN+, TEXT+ m=1, TEXT- m=1, TEXT+ m=1, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, ERROR',
  'RUN+, CALL+ c=1, CALL c=1, CALL- c=1, RESULT m=2 c=1, RUN-',
  'RUN+, CALL+ c=1, CALL- c=1, RUN-',
  'RUN+, CALL+ c=1, CALL+ c=2, CALL c=1, CALL c=2, CALL- c=2, CALL- c=1, RUN-',
  'RUN+, TEXT+ m=1, CALL+ c=1 parentMessageId=1, TEXT m=1, CALL- c=1, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, CALL+ c=1, CALL- c=1, TEXT- m=1, RUN-',
  'RUN+, RESULT m=2 c=1, RUN-',
  'RUN+, STEP+ step=a, STEP- step=a, RUN-',
  'RUN+, STEP+ step=a, STEP+ step=b, STEP- step=a, STEP- step=b, RUN-',
  'RUN+, STEP+ step=a, STEP- step=a, STEP+ step=a, STEP- step=a, RUN-',
  'RUN+, SPAN+ m=1, THOUGHT+ m=1, THOUGHT m=1, THOUGHT- m=1, SPAN- m=1, RUN-',
  'RUN+, THOUGHT+ m=1, THOUGHT- m=1, RUN-',
  'RUN+, SPAN+ m=1, SPAN- m=1, RUN-',
  'RUN+, TEXT~ m=1 delta=x, TEXT~ delta=y, RUN-',
  'RUN+, TEXT~ m=1 delta=x, TEXT~ m=2 delta=y, RUN-',
  'RUN+, TEXT~ m=1 delta=x, CALL~ c=1 toolCallName=f delta=x, TEXT~ m=1 delta=y, RUN-',
  'RUN+, CALL~ c=1 toolCallName=f, CALL~ delta=x, CALL~ c=2 toolCallName=g, RUN-',
  'RUN+, THOUGHT~ m=1 delta=x, THOUGHT~ delta=y, RUN-',
  'RUN+, TEXT~ m=1 delta=x, CUSTOM, RUN-',
  'RUN+, SUB+ s=1, TEXT+ m=1 s=1, TEXT m=1, TEXT- m=1, SUB- s=1, RUN-',
  'RUN+, SUB+ s=1, SUB+ s=2 parent=1, SUB- s=2, SUB- s=1, RUN-',
  'RUN+, SUB+ s=1, SUB! s=1, RUN-',
  'RUN+, STEP+ step=a, SUB+ s=1, STEP+ step=a s=1, STEP- step=a s=1, SUB- s=1, STEP- step=a, RUN-',
  'RUN+, SUB+ s=1, ERROR',
]

const refused: readonly string[] = [
  'RUN-',
  'TEXT+ m=1, TEXT- m=1',
  'CUSTOM',
  'STEP+ step=a',
  'RUN+, RUN+, RUN-',
  'RUN+, RUN-, TEXT+ m=1',
  'RUN+, RUN-, RUN-',
  'RUN+, RUN-, CUSTOM',
  'RUN+, ERROR, RUN-',
  'RUN+, ERROR, TEXT+ m=1',
  'RUN+, TEXT m=1, RUN-',
  'RUN+, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, RUN-',
  'RUN+, TEXT+ m=1, TEXT+ m=1, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, TEXT m=2, TEXT- m=1, RUN-',
  'RUN+, TEXT+ m=1, TEXT- m=1, TEXT m=1, RUN-',
  'RUN+, TEXT+ m=1, TEXT- m=1, TEXT- m=1, RUN-',
  'RUN+, CALL c=1, RUN-',
  'RUN+, CALL- c=1, RUN-',
  'RUN+, CALL+ c=1, RUN-',
  'RUN+, CALL+ c=1, CALL+ c=1, CALL- c=1, RUN-',
  'RUN+, CALL+ c=1, CALL c=2, CALL- c=1, RUN-',
  'RUN+, TEXT+ m=1, CALL m=1 c=1, TEXT- m=1, RUN-',
  'RUN+, STEP- step=a, RUN-',
  'RUN+, STEP+ step=a, RUN-',
  'RUN+, STEP+ step=a, STEP+ step=a, STEP- step=a, RUN-',
  'RUN+, STEP+ step=a, STEP- step=b, STEP- step=a, RUN-',
  'RUN+, THOUGHT m=1, RUN-',
  'RUN+, THOUGHT+ m=1, RUN-',
  'RUN+, THOUGHT+ m=1, THOUGHT+ m=1, THOUGHT- m=1, RUN-',
  'RUN+, SPAN- m=1, RUN-',
  'RUN+, SPAN+ m=1, RUN-',
  'RUN+, SPAN+ m=1, SPAN+ m=1, SPAN- m=1, RUN-',
  'RUN+, TEXT~ delta=x, RUN-',
  'RUN+, CALL~ c=1 delta=x, RUN-',
  'RUN+, CALL~ delta=x, RUN-',
  'RUN+, THOUGHT~ delta=x, RUN-',
  'RUN+, TEXT~ m=1 delta=x, TEXT~ m=1 role=user delta=y, RUN-',
  'RUN+, SUB- s=1, RUN-',
  'RUN+, SUB+ s=1, RUN-',
  'RUN+, SUB+ s=1, SUB+ s=1, SUB- s=1, RUN-',
  'RUN+, SUB+ s=1, SUB- s=1, SUB- s=1, RUN-',
  'RUN+, SUB+ s=1, SUB- s=1, SUB! s=1, RUN-',
  'RUN+, SUB+ s=2 parent=1, SUB- s=2, RUN-',
  'RUN+, SUB+ s=1, TEXT+ m=1, TEXT m=1 s=1, TEXT- m=1, SUB- s=1, RUN-',
  'RUN+, SUB+ s=1, STEP+ step=a, STEP- step=a s=1, SUB- s=1, RUN-',
]

const patch = [{ op: 'add', path: '/a', value: 1 }]
const common = { timestamp: 1, rawEvent: {}, metadata: {}, subagentRunId: 's' }

/** One event of each type with all of its fields. */
const shapes: readonly Readonly<Record<string, unknown>>[] = [
  { ...common, type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', name: 'n' },
  { ...common, type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'x', name: 'n' },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: 'x' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: 'x' },
  { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: 'x', role: 'tool' },
  { type: 'STATE_SNAPSHOT', snapshot: {} },
  { type: 'STATE_DELTA', delta: patch },
  { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'user', content: 'x' }] },
  { type: 'ACTIVITY_SNAPSHOT', messageId: 'm', activityType: 'plan', content: {}, replace: true },
  { type: 'ACTIVITY_DELTA', messageId: 'm', activityType: 'plan', patch },
  { type: 'RAW', event: {}, source: 'x' },
  { type: 'CUSTOM', name: 'n', value: 1 },
  { type: 'RUN_STARTED', threadId: 't', runId: 'r', protocolVersion: '1.0', parentRunId: 'p' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: {}, outcome: { type: 'success' }, usage: [] },
  { type: 'RUN_ERROR', message: 'no', code: 'c', usage: [{ provider: 'p', model: 'm', inputTokens: 1 }] },
  { type: 'STEP_STARTED', stepName: 'a' },
  { type: 'STEP_FINISHED', stepName: 'a' },
  { type: 'REASONING_START', messageId: 'm' },
  { type: 'REASONING_MESSAGE_START', messageId: 'm', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
  { type: 'REASONING_MESSAGE_END', messageId: 'm' },
  { type: 'REASONING_MESSAGE_CHUNK', messageId: 'm', delta: 'x' },
  { type: 'REASONING_END', messageId: 'm' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm', encryptedValue: 'x' },
  { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n', description: 'd', parentSubagentRunId: 'p' },
  { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n', parentToolCallId: 'c', parentMessageId: 'm' },
  { type: 'SUBAGENT_FINISHED', subagentRunId: 's', result: 1, outcome: { type: 'success' } },
  { type: 'SUBAGENT_ERROR', subagentRunId: 's', message: 'no', code: 'c' },
]
