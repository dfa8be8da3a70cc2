import type { AgUiEvent } from '../event-shape.ts'
import { callsOf, type Message } from '../message.ts'
import { ChunkLanes, opener, refuse, tag } from './chunk-lanes.ts'
import { type EntityKind, EntityOwners, type Owner, type RunCounts } from './entity-owners.ts'
import { Journal } from './journal.ts'
import { Subagents } from './subagents.ts'

/** Most bytes that one open entity costs: its start event, of which only ids and names are kept. */
const openOverhead = 1_024

/** The start event of each open entity, which is repeated to clients that join later. */
type Openers = Map<string, AgUiEvent>

/**
 * The order rules of AG-UI 1.0 for one run, and the entities that are open in it. `append` throws an OrderError on an
 * event that a standard client would refuse, and then changes nothing.
 */
export class RunOrder {
  phase: 'new' | 'open' | 'over' = 'new'
  readonly texts: Openers = new Map()
  readonly calls: Openers = new Map()
  readonly spans: Openers = new Map()
  readonly thoughts: Openers = new Map()
  /** Open steps by owner and name: a sub-agent may have a step of its parent's name. */
  readonly steps: Openers = new Map()
  readonly lanes: ChunkLanes
  /** Takes back a batch that is refused. */
  readonly journal: Journal = new Journal()
  /** The ids of the run, their bytes, and the bytes of the texts in starts and ends of sub-agents. */
  readonly counts: RunCounts = { ids: 0, idBytes: 0, said: 0 }
  readonly #owners: EntityOwners = new EntityOwners(this.journal, this.counts)
  /** All sub-agents of the run. */
  readonly subagents: Subagents = new Subagents(this.journal, this.counts)

  constructor() {
    this.lanes = new ChunkLanes(this.journal)
  }

  /** Open entities, in the order in which the end of a run checks them. */
  get #opened(): readonly Openers[] {
    return [this.steps, this.texts, this.thoughts, this.spans, this.calls]
  }

  /** About how many bytes this state takes. */
  get bytes(): number {
    const open = this.#opened.reduce((sum, { size }) => sum + size, this.lanes.open.size)
    return this.counts.idBytes + this.counts.said + open * openOverhead
  }

  /** Returns an independent copy. */
  copy(): RunOrder {
    const copy = new RunOrder()
    copy.phase = this.phase
    Object.assign(copy.counts, this.counts)
    copy.maps.forEach((to, at) => {
      for (const [key, value] of this.maps[at]!) to.set(key, value)
    })
    return copy
  }

  /** All state that is kept by id, always in the same order. */
  get maps(): readonly Map<string | undefined, unknown>[] {
    return [...this.#opened, this.subagents.all, this.lanes.open, ...this.#owners.maps] as readonly Map<
      string | undefined,
      unknown
    >[]
  }

  /** The recorded owner of an entity: a sub-agent, null for the run itself, undefined if there is none. */
  ownerOf(kind: EntityKind, id: string): Owner | undefined {
    return this.#owners.get(kind, id)
  }

  /**
   * Applies events in order, all or none, and returns the events that each one expands to. An error of `then` takes all
   * of them back, with everything else in the journal.
   */
  append(
    events: readonly AgUiEvent[],
    then: (expanded: readonly (readonly AgUiEvent[])[]) => void = () => {},
  ): readonly (readonly AgUiEvent[])[] {
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
      throw error
    }
  }

  /** Applies an event that was accepted before. It cannot be taken back. */
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
    switch (event.type) {
      case 'RUN_STARTED':
        this.#phase('open')
        this.#seed((event.input as { messages?: unknown } | undefined)?.messages, false)
        return
      case 'RUN_FINISHED':
        for (const open of this.#opened) for (const [key] of open) refuse(`'${key}' is still open`)
        this.subagents.checkOver()
        this.#phase('over')
        return
      case 'RUN_ERROR':
        this.#phase('over')
        return
      case 'STEP_STARTED':
      case 'STEP_FINISHED':
        this.#stepOfStep(event)
        return
      case 'SUBAGENT_STARTED':
        this.subagents.start(event)
        this.#owners.name(tag(event)!)
        return
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        this.subagents.end(event)
        return
      case 'MESSAGES_SNAPSHOT':
        this.#seed(event.messages, true)
        return
      default:
        this.#stepOfEntity(event)
    }
  }

  /** Events about a message, a tool call, a thought or an activity. */
  #stepOfEntity(event: AgUiEvent): void {
    const id = (event.messageId ?? event.toolCallId) as string
    switch (event.type) {
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
        this.#owners.set('message', id, tag(event) ?? null)
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
      case 'REASONING_ENCRYPTED_VALUE':
        this.#owners.agree(this.#kindOfEncrypted(event), event.entityId as string, event)
        return
      case 'ACTIVITY_SNAPSHOT':
        if (this.ownerOf('activity', id) === undefined || event.replace !== false)
          this.#owners.set('activity', id, tag(event) ?? null)
        return
      case 'ACTIVITY_DELTA':
        this.#owners.agree('activity', id, event)
    }
  }

  #stepOfStep(event: AgUiEvent): void {
    // A sub-agent may have a step of its parent's name, so the key has the sub-agent too.
    const key = JSON.stringify([tag(event) ?? null, event.stepName])
    const isOpen = this.steps.has(key)
    if (event.type === 'STEP_FINISHED') {
      if (!isOpen) refuse(`step '${event.stepName}' is not open for this agent`)
      this.journal.delete(this.steps, key)
    } else {
      if (isOpen) refuse(`step '${event.stepName}' is open already`)
      this.#owners.name(key)
      this.journal.set(this.steps, key, opener(event))
    }
  }

  #kindOfEncrypted({ subtype, entityId }: AgUiEvent): EntityKind {
    if (subtype === 'tool-call') return 'call'
    return this.ownerOf('message', entityId as string) === undefined ? 'thought' : 'message'
  }

  #openCall(event: AgUiEvent): void {
    const id = event.toolCallId as string
    const parent = event.parentMessageId as string | undefined
    const inherited = parent === undefined ? undefined : this.ownerOf('message', parent)
    const ownTag = tag(event)
    // A tool call belongs to the message that carries it.
    const before = this.ownerOf('call', id)
    if (inherited !== undefined) {
      const claims = ownTag === undefined ? [before, this.#owners.carriers.has(parent!) ? null : undefined] : [ownTag]
      if (claims.some((claim) => claim !== undefined && claim !== inherited)) {
        refuse(`tool call '${id}' and its message differ in sub-agent`)
      }
    }
    const owner = ownTag ?? inherited ?? null
    this.#open(this.calls, 'call', id, event, owner)
    // A client creates the message if there is none, with this owner; a client that joins later gets it in a snapshot.
    const carrier = parent ?? id
    if (this.ownerOf('message', carrier) !== undefined) return
    this.#owners.set('message', carrier, owner)
    this.journal.set(this.#owners.carriers, carrier, true)
  }

  #open(openers: Openers, kind: EntityKind, id: string, event: AgUiEvent, owner: Owner = tag(event) ?? null): void {
    if (openers.has(id)) refuse(`${event.type}: '${id}' is open already`)
    // A client that joins later gets nothing of a closed span, so an event that opens the span again must name its
    // sub-agent.
    const sibling = this.spans.has(id) || this.thoughts.has(id)
    if (kind === 'thought' && !sibling && tag(event) === undefined && (this.ownerOf(kind, id) ?? null) !== null) {
      refuse(`${event.type}: '${id}' belongs to a sub-agent and does not say so`)
    }
    if (kind === 'message' && this.#owners.carriers.has(id) && owner !== this.ownerOf('message', id)) {
      refuse(`${event.type}: '${id}' carries a tool call of another agent`)
    }
    this.#owners.agree(kind, id, event)
    this.#owners.name(id)
    this.journal.set(openers, id, opener(event))
    if (this.ownerOf(kind, id) === undefined) this.#owners.set(kind, id, owner)
  }

  #continue(openers: Openers, kind: EntityKind, id: string, event: AgUiEvent): void {
    if (!openers.has(id)) refuse(`${event.type}: '${id}' is not open`)
    this.#owners.agree(kind, id, event)
    if (!event.type.endsWith('_END')) return
    // A chunk stream ends itself. After a second end a client would refuse the next event of the run.
    for (const lane of this.lanes.open.values())
      if (lane.end === event.type && lane.id === id) refuse(`${event.type}: '${id}' goes on by chunks`)
    this.journal.delete(openers, id)
  }

  /** Messages of a snapshot replace recorded owners; those of the input of a run add owners. */
  #seed(messages: unknown, replace: boolean): void {
    for (const message of (messages ?? []) as readonly {
      id: string
      role: string
      subagentRunId?: string
      toolCalls?: NonNullable<Message['toolCalls']>
    }[]) {
      const kind = message.role === 'reasoning' ? 'thought' : message.role === 'activity' ? 'activity' : 'message'
      const owner = message.subagentRunId ?? null
      if (replace || this.ownerOf(kind, message.id) === undefined) this.#owners.set(kind, message.id, owner)
      for (const call of callsOf(message)) {
        if (replace || this.ownerOf('call', call.id) === undefined) this.#owners.set('call', call.id, owner)
      }
    }
  }

  #phase(phase: 'open' | 'over'): void {
    const before = this.phase
    this.journal.note(() => (this.phase = before))
    this.phase = phase
  }
}
