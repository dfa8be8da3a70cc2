import { sizeOf } from '../json-size.ts'
import { ChunkLanes, OrderError, opener, tag } from './chunk-lanes.ts'
import type { AgUiEvent } from './event-shape.ts'
import { Journal } from './journal.ts'
import { callsOf, type Message } from './message.ts'

/** Most ids that one run may name: its order is remembered for as long as it lives. */
const maxIds = 65_536

/** What an id costs that is remembered, beside its characters: two texts and their places in two maps, in bytes. */
const idOverhead = 160

/** What something open costs at most: its start, of which only ids and names are kept. */
const openOverhead = 1_024

/** Whose an entity is: a sub-agent's id, or null for the run itself. */
type Owner = string | null

/** Ids are unique within a kind only: a message and a tool call may share one. */
export type EntityKind = 'message' | 'call' | 'thought' | 'activity'

/** What an open entity's start said, so that it can be said again to who joins later. */
type Openers = Map<string, AgUiEvent>

/**
 * The order rules of AG-UI 1.0 for one run, and at the same time what is open in it. `append` throws an OrderError on
 * an event that a standard client would refuse; then nothing has changed.
 */
export class RunOrder {
  phase: 'new' | 'open' | 'over' = 'new'
  readonly texts: Openers = new Map()
  readonly calls: Openers = new Map()
  readonly spans: Openers = new Map()
  readonly thoughts: Openers = new Map()
  /** Open steps by owner and name: a sub-agent may have a step of its parent's name. */
  readonly steps: Openers = new Map()
  /** All sub-agents of the run: what started them and, once over, what ended them. */
  readonly subagents: Map<string, { readonly start: AgUiEvent; readonly end: AgUiEvent | null }> = new Map()
  readonly lanes: ChunkLanes
  readonly #owners: Readonly<Record<EntityKind, Map<string, Owner>>> = {
    message: new Map(),
    call: new Map(),
    thought: new Map(),
    activity: new Map(),
  }
  /**
   * Messages that a tool call brought into being. A client that saw it and one that joined later have different owners
   * on record for them, so here a missing tag does count as a claim: that of the run itself.
   */
  readonly #carriers: Map<string, true> = new Map()
  /** What takes back a batch that is refused. */
  readonly journal: Journal = new Journal()
  /** Ids that were named and their bytes, and bytes of what starts and ends of sub-agents said. */
  counts: Record<'ids' | 'idBytes' | 'said', number> = { ids: 0, idBytes: 0, said: 0 }

  constructor() {
    this.lanes = new ChunkLanes(this.journal)
  }

  /** About how many bytes it remembers. */
  get bytes(): number {
    const open = this.texts.size + this.calls.size + this.spans.size + this.thoughts.size + this.steps.size
    return this.counts.idBytes + this.counts.said + (open + this.lanes.open.size) * openOverhead
  }

  /** One of its own that stands where this one does. */
  copy(): RunOrder {
    const copy = new RunOrder()
    copy.phase = this.phase
    copy.counts = { ...this.counts }
    copy.maps.forEach((to, at) => {
      for (const [key, value] of this.maps[at]!) to.set(key, value)
    })
    return copy
  }

  /** Forgets what ended sub-agents had as a result, the oldest first, until what is left of all takes at most `maxBytes`. */
  trim(maxBytes: number): void {
    if (this.counts.said <= maxBytes) return
    for (const [id, { start, end }] of this.subagents) {
      if (this.counts.said <= maxBytes / 2) return
      if (end?.result === undefined) continue
      const { result, ...rest } = end
      this.counts.said -= sizeOf(result)
      this.subagents.set(id, { start, end: rest as AgUiEvent })
    }
  }

  /** All that it remembers by id, always in the same order. */
  get maps(): readonly Map<string | undefined, unknown>[] {
    const { texts, calls, spans, thoughts, steps, subagents, lanes } = this
    return [
      ...[texts, calls, spans, thoughts, steps, subagents, lanes.open, this.#carriers],
      ...Object.values(this.#owners),
    ] as readonly Map<string | undefined, unknown>[]
  }

  /** The sub-agent on record as owner of an entity, null for the run itself, undefined where none is on record. */
  ownerOf(kind: EntityKind, id: string): string | null | undefined {
    return this.#owners[kind].get(id)
  }

  /**
   * Takes events in order, all or none, and returns what they stand for, one list an event. What `then` throws takes them
   * back, and all else that the journal knows.
   */
  append(
    events: readonly AgUiEvent[],
    then: (expanded: readonly (readonly AgUiEvent[])[]) => void = () => {},
  ): readonly (readonly AgUiEvent[])[] {
    const counts = { ...this.counts }
    this.journal.begin()
    try {
      const expanded = events.map((event) => {
        this.#enter(event)
        return this.replay(event)
      })
      then(expanded)
      this.journal.commit()
      return expanded
    } catch (error) {
      this.journal.rollback()
      this.counts = counts
      throw error
    }
  }

  /** Takes an event that was let through before; nothing is kept to take it back. */
  replay(event: AgUiEvent): readonly AgUiEvent[] {
    const steps = this.lanes.expand(event)
    for (const step of steps) this.#step(step)
    return steps
  }

  #enter(event: AgUiEvent): void {
    const start = event.type === 'RUN_STARTED'
    if (this.phase === 'over') refuse('the run is over')
    if (this.phase === 'open' && start) refuse('the run has started already')
    if (this.phase === 'new' && !start && event.type !== 'RUN_ERROR') refuse('a run begins with RUN_STARTED')
  }

  #step(event: AgUiEvent): void {
    const id = (event.messageId ?? event.toolCallId) as string
    switch (event.type) {
      case 'RUN_STARTED':
        this.#phase('open')
        this.#seed((event.input as { messages?: unknown } | undefined)?.messages, false)
        return
      case 'RUN_FINISHED':
        for (const open of [this.steps, this.texts, this.thoughts, this.spans, this.calls]) {
          for (const [key] of open) refuse(`'${key}' is still open`)
        }
        for (const [key, { end }] of this.subagents) if (end === null) refuse(`sub-agent '${key}' is still open`)
        this.#phase('over')
        return
      case 'RUN_ERROR':
        this.#phase('over')
        return
      case 'TEXT_MESSAGE_START':
        this.#open(this.texts, 'message', id, event)
        return
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_END':
        this.#continue(this.texts, 'message', id, event)
        return
      case 'TOOL_CALL_START':
        this.#openCall(event)
        return
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_END':
        this.#continue(this.calls, 'call', event.toolCallId as string, event)
        return
      case 'TOOL_CALL_RESULT':
        this.#own('message', id, tag(event) ?? null)
        return
      case 'REASONING_START':
        this.#open(this.spans, 'thought', id, event)
        return
      case 'REASONING_END':
        this.#continue(this.spans, 'thought', id, event)
        return
      case 'REASONING_MESSAGE_START':
        this.#open(this.thoughts, 'thought', id, event)
        return
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_END':
        this.#continue(this.thoughts, 'thought', id, event)
        return
      case 'REASONING_ENCRYPTED_VALUE': {
        const entity = event.entityId as string
        const kind = event.subtype === 'tool-call' ? 'call' : this.#owners.message.has(entity) ? 'message' : 'thought'
        this.#agree(kind, entity, event)
        return
      }
      case 'ACTIVITY_SNAPSHOT':
        if (!this.#owners.activity.has(id) || event.replace !== false) this.#own('activity', id, tag(event) ?? null)
        return
      case 'ACTIVITY_DELTA':
        this.#agree('activity', id, event)
        return
      case 'STEP_STARTED': {
        const key = JSON.stringify([tag(event) ?? null, event.stepName])
        if (this.steps.has(key)) refuse(`step '${event.stepName}' is open already`)
        this.#count(key)
        this.journal.set(this.steps, key, opener(event))
        return
      }
      case 'STEP_FINISHED': {
        const key = JSON.stringify([tag(event) ?? null, event.stepName])
        if (!this.steps.has(key)) refuse(`step '${event.stepName}' is not open for this agent`)
        this.journal.delete(this.steps, key)
        return
      }
      case 'SUBAGENT_STARTED':
        this.#startSubagent(event)
        return
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR': {
        const subagent = this.subagents.get(tag(event)!)
        if (subagent === undefined || subagent.end !== null) refuse(`sub-agent '${tag(event)}' is not open`)
        else this.#say(tag(event)!, subagent.start, short(event))
        return
      }
      case 'MESSAGES_SNAPSHOT':
        this.#seed(event.messages, true)
    }
  }

  #startSubagent(event: AgUiEvent): void {
    const parent = event.parentSubagentRunId as string | undefined
    if (this.subagents.has(tag(event)!)) refuse(`sub-agent '${tag(event)}' has started already`)
    if (parent !== undefined && !this.subagents.has(parent)) refuse(`sub-agent '${parent}' has not started`)
    this.#count(tag(event)!)
    this.#say(tag(event)!, short(event), null)
  }

  #say(id: string, start: AgUiEvent, end: AgUiEvent | null): void {
    this.counts.said += sizeOf(end ?? start)
    this.journal.set(this.subagents, id, { start, end })
  }

  #openCall(event: AgUiEvent): void {
    const id = event.toolCallId as string
    const parent = event.parentMessageId as string | undefined
    const inherited = parent === undefined ? undefined : this.#owners.message.get(parent)
    const own = tag(event)
    // A tool call belongs to the message that carries it.
    const before = this.#owners.call.get(id)
    if (inherited !== undefined) {
      const claims = own === undefined ? [before, this.#carriers.has(parent!) ? null : undefined] : [own]
      if (claims.some((claim) => claim !== undefined && claim !== inherited)) {
        refuse(`tool call '${id}' and its message differ in sub-agent`)
      }
    }
    const owner = own ?? inherited ?? null
    this.#open(this.calls, 'call', id, event, owner)
    // A client makes the message where there is none, with this owner; whoever joins later is told so in a snapshot.
    const carrier = parent ?? id
    if (this.#owners.message.has(carrier)) return
    this.#own('message', carrier, owner)
    this.journal.set(this.#carriers, carrier, true)
  }

  #open(openers: Openers, kind: EntityKind, id: string, event: AgUiEvent, owner: Owner = tag(event) ?? null): void {
    if (openers.has(id)) refuse(`${event.type}: '${id}' is open already`)
    // A closed span leaves no trace in what a late joiner is given, so opened anew it must say again whose it is.
    const sibling = this.spans.has(id) || this.thoughts.has(id)
    if (kind === 'thought' && !sibling && tag(event) === undefined && (this.ownerOf(kind, id) ?? null) !== null) {
      refuse(`${event.type}: '${id}' belongs to a sub-agent and does not say so`)
    }
    if (kind === 'message' && this.#carriers.has(id) && owner !== this.#owners.message.get(id)) {
      refuse(`${event.type}: '${id}' carries a tool call of another agent`)
    }
    this.#agree(kind, id, event)
    this.#count(id)
    this.journal.set(openers, id, opener(event))
    if (!this.#owners[kind].has(id)) this.#own(kind, id, owner)
  }

  #continue(openers: Openers, kind: EntityKind, id: string, event: AgUiEvent): void {
    if (!openers.has(id)) refuse(`${event.type}: '${id}' is not open`)
    this.#agree(kind, id, event)
    if (!event.type.endsWith('_END')) return
    // A chunk stream ends itself; ended twice, it would be the next event, whatever that is, that a client refuses.
    for (const lane of this.lanes.open.values())
      if (lane.end === event.type && lane.id === id) refuse(`${event.type}: '${id}' goes on by chunks`)
    this.journal.delete(openers, id)
  }

  /** A tag that is given must name the owner of record; one that is absent is no claim. */
  #agree(kind: EntityKind, id: string, event: AgUiEvent): void {
    const owner = this.#owners[kind].get(id)
    const claimed = tag(event)
    if (claimed !== undefined && owner !== undefined && owner !== claimed) {
      refuse(`${event.type}: '${id}' does not belong to sub-agent '${claimed}'`)
    }
  }

  /** Messages of a snapshot replace what is on record; those of a run's input only add to it. */
  #seed(messages: unknown, replace: boolean): void {
    for (const message of (messages ?? []) as readonly {
      id: string
      role: string
      subagentRunId?: string
      toolCalls?: NonNullable<Message['toolCalls']>
    }[]) {
      const kind = message.role === 'reasoning' ? 'thought' : message.role === 'activity' ? 'activity' : 'message'
      const owner = message.subagentRunId ?? null
      if (replace || !this.#owners[kind].has(message.id)) this.#own(kind, message.id, owner)
      for (const call of callsOf(message)) {
        if (replace || !this.#owners.call.has(call.id)) this.#own('call', call.id, owner)
      }
    }
  }

  #own(kind: EntityKind, id: string, owner: Owner): void {
    if (!this.#owners[kind].has(id)) this.#count(id)
    this.journal.set(this.#owners[kind], id, owner)
  }

  #phase(phase: 'open' | 'over'): void {
    const before = this.phase
    this.journal.note(() => (this.phase = before))
    this.phase = phase
  }

  #count(id: string): void {
    if (++this.counts.ids > maxIds) refuse('the run names too many ids')
    this.counts.idBytes += idOverhead + sizeOf(id)
  }
}

function refuse(reason: string): void {
  throw new OrderError(reason)
}

/** An event of a sub-agent's life, without what no client needs later. */
function short(event: AgUiEvent): AgUiEvent {
  const { metadata: _metadata, rawEvent: _raw, timestamp: _time, ...rest } = event
  return rest as AgUiEvent
}
