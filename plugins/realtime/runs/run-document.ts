import { isObject } from '../is-object.ts'
import type { AgUiEvent } from './event-shape.ts'
import { isSet } from './journal.ts'
import { applyPatch, type CopyBudget, type PatchOperation } from './json-patch.ts'

interface ToolCall {
  readonly id: string
  readonly type: string
  function: { name: string; arguments: string }
  encryptedValue?: unknown
  metadata?: Record<string, unknown>
}

/** A message as AG-UI clients keep it. */
export interface Message {
  readonly id: string
  role: string
  content?: unknown
  toolCalls?: ToolCall[]
  metadata?: Record<string, unknown>
  activityType?: unknown
  subagentRunId?: unknown
  encryptedValue?: unknown
  [field: string]: unknown
}

/** How many values all `copy` operations of one run may multiply. */
const copyBudget = 1_000_000

/**
 * The messages and the state that a standard AG-UI client holds after the events so far, so that one who joins now can
 * be given them at once. It takes events that RunOrder let through, with chunks already expanded.
 */
export class RunDocument {
  state: unknown = {}
  messages: Message[] = []
  /** First message of each id, and first tool call: clients resolve to the first. */
  readonly #byId = new Map<string, Message>()
  readonly #calls = new Map<string, { readonly call: ToolCall; readonly message: Message }>()
  readonly #budget: CopyBudget = { left: copyBudget }

  /** Applies one event; events that carry neither messages nor state change nothing. */
  apply(event: AgUiEvent): void {
    const id = event.messageId as string
    switch (event.type) {
      case 'RUN_STARTED':
        this.#start(event.input)
        return
      case 'TEXT_MESSAGE_START':
        this.#begin(event, {
          id,
          role: (event.role as string | undefined) ?? 'assistant',
          content: '',
          ...isSet('name', event.name),
        })
        return
      case 'REASONING_MESSAGE_START':
        this.#begin(event, { id, role: 'reasoning', content: '' })
        return
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_END':
      case 'REASONING_MESSAGE_END': {
        const message = this.#byId.get(id)
        if (message === undefined || message.role === 'activity') return
        if (event.delta !== undefined)
          message.content = (typeof message.content === 'string' ? message.content : '') + event.delta
        merge(message, event)
        return
      }
      case 'TOOL_CALL_START':
        this.#startCall(event)
        return
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_END': {
        const call = this.#calls.get(event.toolCallId as string)?.call
        if (call === undefined) return
        if (event.delta !== undefined) call.function.arguments += event.delta as string
        merge(call, event)
        return
      }
      case 'TOOL_CALL_RESULT':
        this.#result(event)
        return
      case 'STATE_SNAPSHOT':
        this.state = event.snapshot
        return
      case 'STATE_DELTA': {
        const patched = applyPatch(this.state, event.delta as readonly PatchOperation[], this.#budget)
        if (patched !== undefined) this.state = patched.value
        return
      }
      case 'MESSAGES_SNAPSHOT':
        this.#replace(event)
        return
      case 'ACTIVITY_SNAPSHOT':
        this.#activity(event)
        return
      case 'ACTIVITY_DELTA': {
        const message = this.#byId.get(id)
        if (message?.role !== 'activity') return
        merge(message, event)
        const patched = applyPatch(message.content, event.patch as readonly PatchOperation[], this.#budget)
        if (patched === undefined) return
        message.content = patched.value
        message.activityType = event.activityType
        return
      }
      case 'REASONING_ENCRYPTED_VALUE': {
        const entity = event.entityId as string
        const target = event.subtype === 'tool-call' ? this.#calls.get(entity)?.call : this.#byId.get(entity)
        if (target !== undefined && (target as Partial<Message>).role !== 'activity')
          target.encryptedValue = event.encryptedValue
      }
    }
  }

  /** Forgets the oldest messages until what is left is at most `maxLength` characters of JSON; returns what that is. */
  trim(maxLength: number): number {
    const lengths = this.messages.map((message) => JSON.stringify(message).length)
    let length = lengths.reduce((sum, one) => sum + one, 0)
    let dropped = 0
    while (length > maxLength && dropped < lengths.length) length -= lengths[dropped++]!
    if (dropped > 0) {
      this.messages.splice(0, dropped)
      this.#reindex()
    }
    return length
  }

  #start(input: unknown): void {
    if (!isObject(input)) return
    // The state that a run was started with is what its deltas are meant for.
    if (input.state !== undefined && input.state !== null) this.state = input.state
    for (const message of (input.messages ?? []) as readonly Message[]) {
      if (!this.#byId.has(message.id)) this.#insert(clone(message))
    }
  }

  #begin(event: AgUiEvent, made: Message): void {
    let message = this.#byId.get(made.id)
    if (message?.role === 'activity') return
    if (message === undefined) {
      message = { ...made, ...isSet('subagentRunId', event.subagentRunId) }
      this.#insert(message)
    }
    merge(message, event)
  }

  #startCall(event: AgUiEvent): void {
    const id = event.toolCallId as string
    const name = event.toolCallName as string
    const known = this.#calls.get(id)?.call
    if (known !== undefined) {
      known.function.name = name
      merge(known, event)
      return
    }
    const parent = event.parentMessageId as string | undefined
    // An empty parent id counts as none, as clients have it.
    let message = parent ? this.#byId.get(parent) : undefined
    if (message?.role !== 'assistant') {
      message = {
        id: parent && message === undefined ? parent : id,
        role: 'assistant',
        toolCalls: [],
        ...isSet('subagentRunId', event.subagentRunId),
      }
      this.#insert(message)
    }
    const call: ToolCall = { id, type: 'function', function: { name, arguments: '' } }
    message.toolCalls = [...(message.toolCalls ?? []), call]
    this.#calls.set(id, { call, message })
    merge(call, event)
  }

  /** A result stands behind the message that made the call, after the results already there. */
  #result(event: AgUiEvent): void {
    const { messageId, toolCallId, content, role, subagentRunId } = event
    const message: Message = {
      id: messageId as string,
      toolCallId,
      role: (role as string | undefined) || 'tool',
      content,
      ...isSet('subagentRunId', subagentRunId),
    }
    merge(message, event)
    const owner = this.#calls.get(toolCallId as string)?.message
    let at = owner?.role === 'assistant' ? this.messages.indexOf(owner) + 1 : 0
    if (at === 0) at = this.messages.length
    else while (this.messages[at]?.role === 'tool') at++
    this.#insert(message, at)
  }

  #replace(event: AgUiEvent): void {
    const given = clone(event.messages) as Message[]
    const byId = new Map(given.map((message) => [message.id, message]))
    const owned = ownedActivities(event.metadata)
    const hasActivity = given.some(({ role }) => role === 'activity')
    const hasReasoning = given.some(({ role }) => role === 'reasoning')
    // A snapshot says nothing of kinds that it does not carry: most backends know neither activities nor reasoning.
    const stays = (message: Message): boolean =>
      message.role === 'activity'
        ? owned === undefined
          ? !hasActivity
          : owned !== null && !owned.includes(message.activityType)
        : message.role === 'reasoning' && !hasReasoning
    const kept = this.messages
      .filter((message) => byId.has(message.id) || stays(message))
      .map((message) => byId.get(message.id) ?? message)
    const keptIds = new Set(kept.map(({ id }) => id))
    this.messages = [...kept, ...given.filter(({ id }) => !keptIds.has(id))]
    this.#reindex()
  }

  #activity(event: AgUiEvent): void {
    const id = event.messageId as string
    const made: Message = {
      id,
      role: 'activity',
      activityType: event.activityType,
      content: event.content,
      ...isSet('subagentRunId', event.subagentRunId),
    }
    const existing = this.#byId.get(id)
    const replace = event.replace !== false
    if (existing === undefined) {
      this.#insert(made)
      merge(made, event)
    } else if (existing.role === 'activity') {
      if (replace) {
        existing.activityType = event.activityType
        existing.content = event.content
        delete existing.subagentRunId
        Object.assign(existing, isSet('subagentRunId', event.subagentRunId))
      }
      merge(existing, event)
    } else if (replace) {
      this.messages[this.messages.indexOf(existing)] = made
      this.#reindex()
      merge(made, event)
    } else merge(existing, event)
  }

  #insert(message: Message, at: number = this.messages.length): void {
    this.messages.splice(at, 0, message)
    if (at < this.messages.length - 1) this.#reindex()
    else this.#index(message)
  }

  #index(message: Message): void {
    if (!this.#byId.has(message.id)) this.#byId.set(message.id, message)
    for (const call of message.toolCalls ?? [])
      if (!this.#calls.has(call.id)) this.#calls.set(call.id, { call, message })
  }

  #reindex(): void {
    this.#byId.clear()
    this.#calls.clear()
    for (const message of this.messages) this.#index(message)
  }
}

/** Folds an event's metadata into what the event builds, key by key, the later one winning. */
function merge(target: { metadata?: Record<string, unknown> }, event: AgUiEvent): void {
  if (event.metadata !== undefined)
    target.metadata = { ...target.metadata, ...(event.metadata as Record<string, unknown>) }
}

/** Which activity types a snapshot declares complete: null all, undefined says nothing. */
function ownedActivities(metadata: unknown): readonly unknown[] | null | undefined {
  const key = '@ag-ui/client'
  if (!isObject(metadata) || !Object.hasOwn(metadata, key)) return undefined
  const declared = metadata[key]
  if (!isObject(declared)) return []
  if (!Object.hasOwn(declared, 'authoritativeActivityTypes')) return undefined
  const types = declared.authoritativeActivityTypes
  if (types === null) return null
  return Array.isArray(types) && types.every((type) => typeof type === 'string') ? types : []
}

/** Messages are changed in place here, so what came in with an event must not be shared with it. */
function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
