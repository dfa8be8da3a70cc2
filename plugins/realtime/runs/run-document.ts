import { isObject } from '../../../core/kernel/values.ts'
import { sizeOf } from '../json-size.ts'
import type { AgUiEvent } from './event-shape.ts'
import { callsOf, clone, type Message, merge, type ToolCall } from './message.ts'
import { MessageList } from './message-list.ts'
import { isSet, Journal } from './order/journal.ts'
import { copyLarge } from './patch/copy-container.ts'
import { applyPatch, type PatchOperation } from './patch/json-patch.ts'
import { LimitError, type PatchScope } from './patch/patch-scope.ts'

/**
 * The messages and the state that a standard AG-UI client has after the events so far. A client that joins gets them at
 * once. It applies events that RunOrder accepted, with expanded chunks. Work in proportion to the size of the document
 * is counted in `scope.work`.
 */
export class RunDocument {
  state: unknown = {}
  readonly scope: PatchScope
  readonly #journal: Journal
  readonly #list: MessageList

  /** `maxGrowth` bounds, in bytes, what one patch may add. */
  constructor(maxGrowth: number = Infinity, journal: Journal = new Journal()) {
    this.scope = { owned: new WeakSet(), work: Infinity, maxGrowth }
    this.#journal = journal
    this.#list = new MessageList(journal, (messages) => this.spend(messages))
  }

  /** The messages, in their order. */
  get messages(): readonly Message[] {
    return this.#list.all
  }

  /** An independent copy. Parts are shared until one of the two changes them. */
  copy(journal: Journal): RunDocument {
    const copy = new RunDocument(this.scope.maxGrowth, journal)
    this.scope.owned = new WeakSet()
    copy.state = this.state
    for (const held of this.messages) {
      const message = { ...held }
      const calls = callsOf(message)
      if (calls.length > 0) message.toolCalls = calls.map((call) => ({ ...call, function: { ...call.function } }))
      copy.#list.push(message)
    }
    return copy
  }

  /** Copies the large parts of the state that are shared, with pauses. Later patches change the copies in place. */
  *ownState(): Generator<undefined, void> {
    this.state = yield* copyLarge(this.state, this.scope.owned)
  }

  /**
   * Applies one event; events that carry neither messages nor state change nothing. Returns by how many bytes a patch
   * may have made the document grow, else 0.
   * @throws LimitError
   */
  apply(event: AgUiEvent): number {
    this.#apply(event)
    const grown = this.#grown
    this.#grown = 0
    return grown
  }

  #grown = 0

  #apply(event: AgUiEvent): void {
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
        const message = this.#list.find(id)
        if (message === undefined || message.role === 'activity') return
        this.#journal.keep(message)
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
        const call = this.#list.call(event.toolCallId as string)?.call
        if (call === undefined) return
        this.#journal.keep(call)
        this.#journal.keep(call.function)
        if (event.delta !== undefined) call.function.arguments += event.delta as string
        merge(call, event)
        return
      }
      case 'TOOL_CALL_RESULT':
        this.#result(event)
        return
      case 'STATE_SNAPSHOT':
        this.#setState(event.snapshot)
        return
      case 'STATE_DELTA':
        this.#patch(this, 'state', event.delta)
        return
      case 'MESSAGES_SNAPSHOT':
        this.#replace(event)
        return
      case 'ACTIVITY_SNAPSHOT':
        this.#activity(event)
        return
      case 'ACTIVITY_DELTA': {
        const message = this.#list.find(id)
        if (message?.role !== 'activity') return
        merge(this.#journal.keep(message), event)
        if (this.#patch(message, 'content', event.patch)) message.activityType = event.activityType
        return
      }
      case 'REASONING_ENCRYPTED_VALUE': {
        const entity = event.entityId as string
        const target = event.subtype === 'tool-call' ? this.#list.call(entity)?.call : this.#list.find(entity)
        if (target !== undefined && (target as Partial<Message>).role !== 'activity')
          this.#journal.keep(target).encryptedValue = event.encryptedValue
      }
    }
  }

  /** Counts visited elements beyond those of the event itself. */
  spend(elements: number): void {
    if ((this.scope.work -= elements) < 0) throw new LimitError('work')
  }

  /** Removes the oldest messages until the rest takes at most `maxBytes`; returns the bytes of the rest. */
  trim(maxBytes: number): number {
    const sizes = this.messages.map((message) => sizeOf(message))
    let size = sizes.reduce((sum, one) => sum + one, 0)
    let dropped = 0
    while (size > maxBytes && dropped < sizes.length) size -= sizes[dropped++]!
    // The cost is spread over all events since the last time.
    if (dropped > 0) this.#list.drop(dropped)
    return size
  }

  #start(input: unknown): void {
    if (!isObject(input)) return
    // The deltas of a run apply to the state that it was started with.
    if (input.state !== undefined && input.state !== null) this.#setState(input.state)
    for (const message of (input.messages ?? []) as readonly Message[]) {
      if (this.#list.find(message.id) === undefined) this.#list.push(clone(message))
    }
  }

  #begin(event: AgUiEvent, made: Message): void {
    let message = this.#list.find(made.id)
    if (message?.role === 'activity') return
    if (message === undefined) {
      message = { ...made, ...isSet('subagentRunId', event.subagentRunId) }
      this.#list.push(message)
    }
    merge(this.#journal.keep(message), event)
  }

  #startCall(event: AgUiEvent): void {
    const id = event.toolCallId as string
    const name = event.toolCallName as string
    const oldCall = this.#list.call(id)?.call
    if (oldCall !== undefined) {
      this.#journal.keep(oldCall.function).name = name
      merge(this.#journal.keep(oldCall), event)
      return
    }
    const parent = event.parentMessageId as string | undefined
    // An empty parent id counts as absent, as in clients.
    let message = parent ? this.#list.find(parent) : undefined
    if (message?.role !== 'assistant') {
      message = {
        id: parent && message === undefined ? parent : id,
        role: 'assistant',
        toolCalls: [],
        ...isSet('subagentRunId', event.subagentRunId),
      }
      this.#list.push(message)
    }
    const call: ToolCall = { id, type: 'function', function: { name, arguments: '' } }
    this.#list.addCall(message, call)
    merge(call, event)
  }

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
    this.#list.putResult(message, toolCallId as string)
  }

  #replace(event: AgUiEvent): void {
    const messages = clone(event.messages) as Message[]
    const byId = new Map(messages.map((message) => [message.id, message]))
    const owned = ownedActivities(event.metadata)
    const hasActivity = messages.some(({ role }) => role === 'activity')
    const hasReasoning = messages.some(({ role }) => role === 'reasoning')
    // A snapshot does not remove messages of kinds that it lacks: most backends send neither activities nor reasoning.
    const stays = (message: Message): boolean =>
      message.role === 'activity'
        ? owned === undefined
          ? !hasActivity
          : owned !== null && !owned.includes(message.activityType)
        : message.role === 'reasoning' && !hasReasoning
    const keptMessages = this.#list
      .ordered()
      .flatMap((message) => byId.get(message.id) ?? (stays(message) ? message : []))
    this.#list.rebuild([...keptMessages, ...messages.filter(({ id }) => !this.#list.find(id))])
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
    const existing = this.#list.find(id)
    const replace = event.replace !== false
    if (existing === undefined) {
      this.#list.push(made)
      merge(made, event)
    } else if (existing.role === 'activity') {
      this.#journal.keep(existing)
      if (replace) {
        existing.activityType = event.activityType
        existing.content = event.content
        delete existing.subagentRunId
        Object.assign(existing, isSet('subagentRunId', event.subagentRunId))
      }
      merge(existing, event)
    } else if (replace) {
      this.#list.rebuild(this.#list.ordered().map((message) => (message === existing ? made : message)))
      merge(made, event)
    } else merge(this.#journal.keep(existing), event)
  }

  #setState(state: unknown): void {
    const before = this.state
    this.#journal.note(() => void (this.state = before))
    this.state = state
  }

  /** Applies a patch to a member; false if it does not apply. */
  #patch(holder: object, key: string, patch: unknown): boolean {
    const patched = applyPatch(holder, key, patch as readonly PatchOperation[], this.scope)
    if (patched === undefined) return false
    this.#grown += patched.grown
    this.#journal.note(patched.undo)
    return true
  }
}

/** The activity types that a snapshot declares complete: null for all, undefined for none. */
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
