import type { AgUiEvent } from '../event-shape.ts'
import { isSet, type Journal } from './journal.ts'

/** Thrown if an event may not follow the earlier ones. The message names ids, which the caller chose. */
export class OrderError extends Error {}

/** @throws OrderError with a reason */
export function refuse(reason: string): never {
  throw new OrderError(reason)
}

type Kind = 'text' | 'tool' | 'thought'

/** Most chunk streams that are open at once, because each chunk visits all of them. */
const maxLanes = 256

interface Lane {
  readonly kind: Kind
  readonly id: string
  /** Type of the event that ends it. */
  readonly end: string
  /** The chunk that opened the lane, without its content. */
  readonly opener: AgUiEvent
}

const chunkKinds: Readonly<Record<string, Kind>> = {
  TEXT_MESSAGE_CHUNK: 'text',
  TOOL_CALL_CHUNK: 'tool',
  REASONING_MESSAGE_CHUNK: 'thought',
}
const parts: Readonly<
  Record<Kind, readonly [start: string, content: string, end: string, id: 'messageId' | 'toolCallId']>
> = {
  text: ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'messageId'],
  tool: ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'toolCallId'],
  thought: ['REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END', 'messageId'],
}
/** Fields that a later chunk may repeat, but not change. */
const fixed: Readonly<Record<Kind, readonly string[]>> = {
  text: ['role', 'name'],
  tool: ['toolCallName', 'parentMessageId'],
  thought: [],
}
/** Events that do not end an open chunk stream. */
const transparent = new Set([
  'RAW',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'REASONING_ENCRYPTED_VALUE',
  'SUBAGENT_STARTED',
])
const closesAll = new Set(['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'MESSAGES_SNAPSHOT'])

/**
 * AG-UI's chunk events expand to a start, a content and an end. Every agent (the run itself, or one sub-agent) has one
 * lane. The next event of another kind of this agent ends the open entity of the lane.
 */
export class ChunkLanes {
  /** Open chunk streams by sub-agent; undefined is the run itself. */
  readonly open: Map<string | undefined, Lane> = new Map()
  readonly #journal: Journal

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Expands an event. Events that are not chunks are returned unchanged. */
  expand(event: AgUiEvent): readonly AgUiEvent[] {
    const kind = chunkKinds[event.type]
    if (kind !== undefined) return this.#chunk(kind, event)
    if (this.open.size === 0 || transparent.has(event.type)) return [event]
    const owners = closesAll.has(event.type) ? [...this.open.keys()] : [tag(event)]
    return [...owners.flatMap((owner) => this.#close(owner)), event]
  }

  #chunk(kind: Kind, chunk: AgUiEvent): readonly AgUiEvent[] {
    const [start, content, end, idField] = parts[kind]
    const id = chunk[idField] as string | undefined
    const owner = this.#lane(kind, id, tag(chunk))
    let lane = this.open.get(owner)
    const events: AgUiEvent[] = []
    if (lane?.kind === kind && (id === undefined || id === lane.id)) {
      for (const field of fixed[kind]) {
        const established = lane.opener[field] ?? (field === 'role' ? 'assistant' : undefined)
        if (chunk[field] !== undefined && chunk[field] !== established) {
          refuse(`${chunk.type}: ${field} differs from that of the open ${idField} '${lane.id}'`)
        }
      }
    } else {
      if (id === undefined) refuse(`the first ${chunk.type} carries no ${idField}`)
      if (kind === 'tool' && chunk.toolCallName === undefined) refuse(`the first ${chunk.type} carries no toolCallName`)
      events.push(...this.#close(owner))
      if (this.open.size >= maxLanes) refuse('too many chunk streams are open')
      const said = opener(chunk)
      lane = { kind, id, end, opener: said }
      this.#journal.set(this.open, owner, lane)
      events.push({
        ...said,
        ...isSet('metadata', chunk.metadata),
        ...(kind === 'thought' && { role: 'reasoning' }),
        type: start,
      })
    }
    if (chunk.delta !== undefined || (events.length === 0 && chunk.metadata !== undefined)) {
      events.push({
        type: content,
        [idField]: lane.id,
        delta: chunk.delta ?? '',
        ...isSet('metadata', chunk.metadata),
        ...isSet('subagentRunId', tag(chunk) ?? tag(lane.opener)),
      })
    }
    return events
  }

  /** The lane of a chunk: that of its id, or of its tag, or else the only one that fits. */
  #lane(kind: Kind, id: string | undefined, owner: string | undefined): string | undefined {
    if (id !== undefined) {
      for (const [holder, lane] of this.open) {
        if (lane.kind !== kind || lane.id !== id) continue
        if (owner !== undefined && owner !== holder) refuse(`the chunk of '${id}' names another sub-agent`)
        return holder
      }
      return owner
    }
    if (owner !== undefined || this.open.get(undefined)?.kind === kind) return owner
    const fitting = [...this.open].filter(([, lane]) => lane.kind === kind)
    if (fitting.length > 1) refuse('the chunk fits more than one open sub-agent')
    return fitting[0]?.[0]
  }

  #close(owner: string | undefined): readonly AgUiEvent[] {
    const lane = this.open.get(owner)
    if (lane === undefined) return []
    this.#journal.delete(this.open, owner)
    return [{ type: lane.end, [parts[lane.kind][3]]: lane.id, ...isSet('subagentRunId', tag(lane.opener)) }]
  }
}

const openerFields = 'messageId toolCallId toolCallName parentMessageId role name stepName subagentRunId'.split(' ')

/** The ids and names of a start event, which are short. Its other members are not kept. */
export function opener(event: AgUiEvent): AgUiEvent {
  const said: Record<string, unknown> & { type: string } = { type: event.type }
  for (const name of openerFields) if (event[name] !== undefined) said[name] = event[name]
  return said
}

/** The sub-agent that an event names. */
export function tag(event: AgUiEvent): string | undefined {
  return event.subagentRunId as string | undefined
}
