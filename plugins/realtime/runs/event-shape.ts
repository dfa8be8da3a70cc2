import { isObject } from '../../../core/kernel/values.ts'

/**
 * Which JSON values are AG-UI 1.0 events. The official validator is a library of 45 KiB; this table has the same rules.
 *
 * A field is `name` (a text; short where the name is that of an id or a name) or `name:kind`, with `?` after the name
 * where it may be absent. Kinds: `s` string, `d` short string, `i` safe integer, `n` the same from 0 on, `b` boolean,
 * `o` object, `x` any value, `j` any value but null, `p` JSON pointer, `[kind]` a list, `{a,b}` one of these words,
 * `A|B` either kind, a capital word: a shape or a choice of the table below. Null is never a value of an optional
 * field, and fields that the table does not name are let through.
 */
const common = 'timestamp?:i rawEvent?:j metadata?:o subagentRunId?'
const textRole = '{developer,system,assistant,user}'
const tokens =
  'inputTokens?:n outputTokens?:n totalTokens?:n reasoningTokens?:n cachedInputTokens?:n cacheWriteInputTokens?:n'

const events: Readonly<Record<string, string>> = {
  TEXT_MESSAGE_START: `messageId role?:${textRole} name?`,
  TEXT_MESSAGE_CONTENT: 'messageId delta',
  TEXT_MESSAGE_END: 'messageId',
  TEXT_MESSAGE_CHUNK: `messageId? role?:${textRole} delta? name?`,
  TOOL_CALL_START: 'toolCallId toolCallName parentMessageId?',
  TOOL_CALL_ARGS: 'toolCallId delta',
  TOOL_CALL_END: 'toolCallId',
  TOOL_CALL_CHUNK: 'toolCallId? toolCallName? parentMessageId? delta?',
  TOOL_CALL_RESULT: 'messageId toolCallId content:s|[Part] role?:{tool}',
  STATE_SNAPSHOT: 'snapshot:x',
  STATE_DELTA: 'delta:[Patch]',
  MESSAGES_SNAPSHOT: 'messages:[Message]',
  ACTIVITY_SNAPSHOT: 'messageId activityType content:o replace?:b',
  ACTIVITY_DELTA: 'messageId activityType patch:[Patch]',
  RAW: 'event:x source?',
  CUSTOM: 'name value:x',
  RUN_STARTED: 'threadId runId protocolVersion? parentRunId? input?:Input',
  RUN_FINISHED: 'threadId runId result?:j outcome?:RunOutcome usage?:[Usage]',
  RUN_ERROR: 'message code? usage?:[Usage]',
  STEP_STARTED: 'stepName',
  STEP_FINISHED: 'stepName',
  REASONING_START: 'messageId',
  REASONING_MESSAGE_START: 'messageId role:{reasoning}',
  REASONING_MESSAGE_CONTENT: 'messageId delta',
  REASONING_MESSAGE_END: 'messageId',
  REASONING_MESSAGE_CHUNK: 'messageId? delta?',
  REASONING_END: 'messageId',
  REASONING_ENCRYPTED_VALUE: 'subtype:{tool-call,message} entityId encryptedValue',
  SUBAGENT_STARTED: 'subagentRunId name description? parentSubagentRunId? parentToolCallId? parentMessageId?',
  SUBAGENT_FINISHED: 'subagentRunId result?:j outcome?:SubagentOutcome',
  SUBAGENT_ERROR: 'subagentRunId message code?',
}

const INPUT =
  'threadId runId protocolVersion? parentRunId? messages:[Message] tools?:[Tool] context?:[Context] forwardedProps?:x resume?:[Resume]'

const shapes: Readonly<Record<string, string>> = {
  Usage: `provider? model? ${tokens}`,
  Call: 'id type:{function} function:Function encryptedValue? metadata?:o',
  Function: 'name arguments',
  Interrupt: 'subagentRunId? id reason message? toolCallId? responseSchema?:j expiresAt? metadata?:o',
  Input: INPUT,
  Tool: 'name description parameters?:j metadata?:o',
  Context: 'description value',
  Resume: 'interruptId status:{resolved,cancelled} payload?:j metadata?:o',
}

/** A choice: the field that decides, then the shape for each of its values. */
const choices: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  Part: [
    'type',
    { text: 'id? text metadata?:j', ...each('image audio video document', 'id? source:Source metadata?:j') },
  ],
  Source: ['type', { data: 'value mimeType', url: 'value mimeType?', file: 'value provider? mimeType?' }],
  Patch: [
    'op',
    { ...each('add replace test', 'path:p value:x'), remove: 'path:p', ...each('move copy', 'from:p path:p') },
  ],
  Message: [
    'role',
    {
      ...each('developer system', 'subagentRunId? id name? encryptedValue? metadata?:o content'),
      assistant: 'subagentRunId? id name? encryptedValue? metadata?:o content? toolCalls?:[Call]',
      user: 'subagentRunId? id name? encryptedValue? metadata?:o content:s|[Part]',
      tool: 'subagentRunId? id content:s|[Part] toolCallId error? encryptedValue? metadata?:o',
      activity: 'subagentRunId? id activityType content:o metadata?:o',
      reasoning: 'subagentRunId? id content encryptedValue? metadata?:o',
    },
  ],
  RunOutcome: ['type', { success: 'pendingToolCallIds?:[d]', interrupt: 'interrupts:[Interrupt]', cancelled: '' }],
  SubagentOutcome: ['type', { success: '', suspended: 'interruptIds?:[d]' }],
}

/** A validated event, with every field that the producer gave. */
export interface AgUiEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/**
 * Returns why a value is not an AG-UI 1.0 event, by field and never by content; null if it is one. Ids and names have
 * at most `maxIdBytes` of UTF-8. With `absent`, optional members that are null are removed from the value, since
 * standard clients take them for absent.
 */
export function eventProblem(value: unknown, maxIdBytes: number = 256, absent: boolean = false): string | null {
  if (!isObject(value)) return 'an event is a JSON object'
  const type = value.type
  const shape = typeof type === 'string' && Object.hasOwn(events, type) ? events[type] : undefined
  if (shape === undefined) return 'type is not an AG-UI 1.0 event type'
  const rules = { max: maxIdBytes, absent }
  const path = fieldProblem(value, shape, rules) ?? fieldProblem(value, common, rules)
  if (path !== null) return `${type}.${path} is missing or of the wrong kind`
  // The only list of the protocol that must not be empty.
  const outcome = value.outcome
  if (
    type === 'RUN_FINISHED' &&
    isObject(outcome) &&
    Array.isArray(outcome.interrupts) &&
    outcome.interrupts.length === 0
  ) {
    return 'RUN_FINISHED.outcome.interrupts is empty'
  }
  return null
}

/** The types of AG-UI 1.0. */
export const eventTypes: ReadonlySet<string> = new Set(Object.keys(events))

/** Returns why a value is not an AG-UI 1.0 `RunAgentInput`, as `eventProblem` does; null if it is one. */
export function inputProblem(value: unknown, maxIdBytes: number): string | null {
  if (!isObject(value)) return 'it is a JSON object'
  const path = fieldProblem(value, INPUT, { max: maxIdBytes, absent: true })
  return path === null ? null : `${path} is missing or of the wrong kind`
}

const encoder = new TextEncoder()

type Field = readonly [name: string, optional: boolean, kind: string]
const compiled = new Map<string, readonly Field[]>()

function fieldsOf(shape: string): readonly Field[] {
  let fields = compiled.get(shape)
  if (fields === undefined) {
    fields =
      shape.match(/\S+/g)?.map((text): Field => {
        const [, name = '', optional, kind] = /^(\w+)(\?)?(?::(.+))?$/.exec(text) ?? []
        return [name, optional !== undefined, kind ?? (/(?:^i|I)d$|[nN]ame$|Type$/.test(name) ? 'd' : 's')]
      }) ?? []
    compiled.set(shape, fields)
  }
  return fields
}

interface Rules {
  readonly max: number
  readonly absent: boolean
}

function fieldProblem(value: Record<string, unknown>, shape: string, rules: Rules): string | null {
  for (const [name, optional, kind] of fieldsOf(shape)) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined
    // An object that is frozen keeps it, and is refused.
    if (rules.absent && optional && field === null && Reflect.deleteProperty(value, name)) continue
    if (field === undefined ? !optional : !isKind(field, kind, rules)) return name
  }
  return null
}

function isKind(value: unknown, kind: string, rules: Rules): boolean {
  switch (kind) {
    case 'd':
      return typeof value === 'string' && (value.length * 3 <= rules.max || encoder.encode(value).length <= rules.max)
    case 's':
      return typeof value === 'string'
    case 'x':
      return true
    case 'j':
      return value !== null
    case 'o':
      return isObject(value)
    case 'b':
      return typeof value === 'boolean'
    case 'i':
      return Number.isSafeInteger(value)
    case 'n':
      return Number.isSafeInteger(value) && (value as number) >= 0
    case 'p':
      return typeof value === 'string' && /^(?:\/(?:[^/~]|~[01])*)*$/.test(value)
  }
  if (kind.startsWith('{')) return typeof value === 'string' && kind.slice(1, -1).split(',').includes(value)
  if (kind.startsWith('[')) return Array.isArray(value) && value.every((item) => isKind(item, kind.slice(1, -1), rules))
  if (kind.includes('|')) return kind.split('|').some((either) => isKind(value, either, rules))
  if (!isObject(value)) return false
  const choice = choices[kind]
  if (choice === undefined) return fieldProblem(value, shapes[kind] ?? '', rules) === null
  const decided = value[choice[0]]
  const shape = typeof decided === 'string' && Object.hasOwn(choice[1], decided) ? choice[1][decided] : undefined
  return shape !== undefined && fieldProblem(value, shape, rules) === null
}

function each(names: string, shape: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]))
}
