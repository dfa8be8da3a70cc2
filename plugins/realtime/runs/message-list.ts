/** The messages of a run in their order, found by id and by the tool calls that they carry. */

import { callsOf, type Message, type ToolCall } from './message.ts'
import type { Journal } from './order/journal.ts'

/**
 * A list whose changes the journal can take back. No change but `rebuild` takes time in proportion to the length of the
 * list.
 */
export class MessageList {
  readonly #journal: Journal
  /** Called with the number of messages that a rebuild visited. */
  readonly #spend: (messages: number) => void
  #list: Message[] = []
  /**
   * Results of tool calls that are not at their place yet, behind their message and earlier results. They are moved
   * when the list is read.
   */
  #late = new Map<Message, Message[]>()
  /** The last message that is not a result. */
  #speaker: Message | undefined
  /** The first message and the first tool call of each id. Clients use the first. */
  #byId = new Map<string, Message>()
  #calls = new Map<string, { readonly call: ToolCall; readonly message: Message }>()

  constructor(journal: Journal, spend: (messages: number) => void) {
    this.#journal = journal
    this.#spend = spend
  }

  /** The messages, in their order. */
  get all(): readonly Message[] {
    if (this.#late.size > 0) {
      this.#list = this.ordered()
      this.#late = new Map()
    }
    return this.#list
  }

  /** The first message of an id. */
  find(id: string): Message | undefined {
    return this.#byId.get(id)
  }

  /** The first tool call of an id, with the message that carries it. */
  call(id: string): { readonly call: ToolCall; readonly message: Message } | undefined {
    return this.#calls.get(id)
  }

  /** Adds a message at the end. */
  push(message: Message): void {
    const [list, speaker] = [this.#list, this.#speaker]
    this.#journal.note(() => {
      list.pop()
      this.#speaker = speaker
    })
    list.push(message)
    if (message.role !== 'tool') this.#speaker = message
    this.#index(message)
  }

  /** Adds a tool call to a message of the list. */
  addCall(message: Message, call: ToolCall): void {
    const calls = message.toolCalls
    if (calls === undefined) this.#journal.keep(message).toolCalls = [call]
    else {
      calls.push(call)
      this.#journal.note(() => calls.pop())
    }
    this.#journal.set(this.#calls, call.id, { call, message })
  }

  /** Adds the result of a call behind the message of the call and its earlier results. */
  putResult(message: Message, callId: string): void {
    const owner = this.#calls.get(callId)?.message
    // Only results follow the last message that is not a result, so the place is the end.
    if (owner?.role !== 'assistant' || owner === this.#speaker) {
      this.push(message)
      return
    }
    const late = this.#late.get(owner)
    if (late === undefined) this.#journal.set(this.#late, owner, [message])
    else {
      late.push(message)
      this.#journal.note(() => late.pop())
    }
    // Of two messages with the same id the first counts, which may be this one now.
    if (this.#byId.has(message.id)) this.rebuild(this.ordered())
    else this.#index(message)
  }

  /** Replaces the list, and indexes the new one. This takes time for each message. */
  rebuild(list: Message[]): void {
    this.#spend(list.length + this.#list.length)
    this.#take(list)
  }

  /** Removes the oldest messages. */
  drop(count: number): void {
    this.#take(this.#list.slice(count))
  }

  /** The list with late results at their places: behind their message and its earlier results. */
  ordered(): Message[] {
    if (this.#late.size === 0) return this.#list
    const list: Message[] = []
    let late: readonly Message[] = []
    for (const message of this.#list) {
      if (message.role !== 'tool') {
        for (const result of late) list.push(result)
        late = this.#late.get(message) ?? []
      }
      list.push(message)
    }
    for (const result of late) list.push(result)
    return list
  }

  #take(list: Message[]): void {
    const [before, late, speaker, byId, calls] = [this.#list, this.#late, this.#speaker, this.#byId, this.#calls]
    this.#journal.note(() => {
      this.#list = before
      this.#late = late
      this.#speaker = speaker
      this.#byId = byId
      this.#calls = calls
    })
    this.#list = list
    this.#late = new Map()
    this.#speaker = undefined
    this.#byId = new Map()
    this.#calls = new Map()
    // The maps are new, so the old ones are kept to take this back.
    for (const message of list) {
      if (!this.#byId.has(message.id)) this.#byId.set(message.id, message)
      for (const call of callsOf(message)) if (!this.#calls.has(call.id)) this.#calls.set(call.id, { call, message })
      if (message.role !== 'tool') this.#speaker = message
    }
  }

  #index(message: Message): void {
    if (!this.#byId.has(message.id)) this.#journal.set(this.#byId, message.id, message)
    for (const call of callsOf(message))
      if (!this.#calls.has(call.id)) this.#journal.set(this.#calls, call.id, { call, message })
  }
}
