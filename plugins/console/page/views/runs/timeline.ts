/** Builds a timeline from the AG-UI events of a run. Events that belong together become one item. */
import type { PatchOperation } from '../../lib/json-patch.ts'
import { isErrorResult } from './error-result.ts'
import { createStates } from './states.ts'

/** An AG-UI event. */
export interface AgUiEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** When an event happened, in Unix ms, by two clocks; undefined where a time is not known. */
export interface EventTime {
  /** As its agent has said, in `timestamp`. */
  readonly agentMs: number | undefined
  /** When the service got it. */
  readonly arrivedMs: number | undefined
}

/** A duration in milliseconds, by the clock of the agent, or between the arrivals at the service. */
export interface Took {
  readonly ms: number
  readonly isByArrival: boolean
}

/**
 * The time between two events: by the clock of the agent if it has timed both, otherwise by their arrivals; undefined
 * if neither is known.
 */
export function between(start: EventTime, end: EventTime): Took | undefined {
  if (start.agentMs !== undefined && end.agentMs !== undefined)
    return { ms: end.agentMs - start.agentMs, isByArrival: false }
  if (start.arrivedMs !== undefined && end.arrivedMs !== undefined)
    return { ms: end.arrivedMs - start.arrivedMs, isByArrival: true }
  return undefined
}

/** The members that every item has. */
interface Common {
  /** Unique within the timeline. */
  readonly key: number
  /** The position of the first event of the item, `<epoch>-<seq>`; undefined within a snapshot. */
  readonly position: string | undefined
  /** Number of events in the item. */
  readonly events: number
  /** The times of the first and of the last event. */
  readonly start: EventTime
  readonly end: EventTime
}

/** A message or the reasoning of a participant. */
export interface MessageItem extends Common {
  readonly kind: 'message'
  readonly id: string
  readonly role: string
  readonly text: string
  readonly isOpen: boolean
}

/** A call of a tool, with its result if there is one. */
export interface ToolItem extends Common {
  readonly kind: 'tool'
  readonly id: string
  readonly name: string
  readonly input: string
  readonly result: string | undefined
  /** Whether the result says that the tool failed. */
  readonly isError: boolean
  readonly isOpen: boolean
}

/** A change of the state: a snapshot, or the operations of a patch. */
export interface StateItem extends Common {
  readonly kind: 'state'
  readonly operations: readonly PatchOperation[] | undefined
  /** The number of the change, for the state after it. */
  readonly number: number
  /** Why the patch could not be applied to the state. */
  readonly problem: string | undefined
}

/** Any other event. */
export interface MarkItem extends Common {
  readonly kind: 'mark'
  readonly event: AgUiEvent
  /** How long the step took; undefined while it runs, without times, and for other events. */
  readonly took: Took | undefined
}

/** One item of a timeline. Items are immutable: a newer item with the same key replaces an older one. */
export type Item = MessageItem | ToolItem | StateItem | MarkItem

/** The present content of a timeline. */
export interface Timeline {
  readonly items: readonly Item[]
  readonly events: number
  /** The state of the run; undefined if the run has no state yet. */
  readonly state: unknown
  /** The state after a change. */
  stateAfter(item: StateItem): unknown
}

/** The timeline of one run. */
export interface TimelineBuilder {
  /** Adds an event; `arrivedMs` is when the service got it. */
  add(event: AgUiEvent, position: string | undefined, arrivedMs?: number): void
  /** The timeline so far; the same object until an event is added. */
  now(): Timeline
}

/** Creates an empty timeline. */
export function createTimeline(): TimelineBuilder {
  const items: Item[] = []
  /** The index of an item, by kind and id. */
  const indexes = new Map<string, number>()
  const states = createStates()
  let events = 0
  let shown: Timeline | undefined
  let time: EventTime = { agentMs: undefined, arrivedMs: undefined }

  const put = (id: string | undefined, item: NewItem): void => {
    if (id !== undefined) indexes.set(id, items.length)
    items.push({ ...item, key: items.length, events: 1, start: time, end: time } as Item)
  }
  /**
   * Replaces the item with an id. Returns false if there is none, for instance because the stream was joined after the
   * item's start.
   */
  const change = <K extends Item['kind']>(kind: K, id: string, to: (item: Of<K>) => Partial<Of<K>>): boolean => {
    const index = indexes.get(`${kind} ${id}`)
    if (index === undefined) return false
    const item = items[index]
    if (item?.kind !== kind) return false
    items[index] = { ...item, events: item.events + 1, end: time, ...to(item as Of<K>) } as Item
    return true
  }
  const message = (event: AgUiEvent, position: string | undefined): void => {
    const id = text(event['messageId'])
    const [suffix] = /(?:START|CONTENT|END|CHUNK)$/.exec(event.type) ?? ['']
    const delta = text(event['delta'])
    if (change('message', id, (item) => ({ text: item.text + delta, isOpen: suffix !== 'END' })) || suffix === 'END')
      return
    const role = event.type.startsWith('REASONING') ? 'reasoning' : text(event['role'], 'assistant')
    put(`message ${id}`, { kind: 'message', position, id, role, text: delta, isOpen: true })
  }
  const tool = (event: AgUiEvent, position: string | undefined): void => {
    const id = text(event['toolCallId'])
    const isResult = event.type === 'TOOL_CALL_RESULT'
    const part = text(event['delta'])
    const result = isResult ? contentOf(event['content']) : undefined
    const isOpen = !isResult && event.type !== 'TOOL_CALL_END'
    const ending = result === undefined ? {} : { result, isError: isErrorResult(result) }
    if (change('tool', id, (item) => ({ input: item.input + part, isOpen, ...ending }))) return
    const name = text(event['toolCallName'], 'tool')
    const start = { kind: 'tool', position, id, name, input: part, result, isError: false, isOpen } as const
    put(`tool ${id}`, { ...start, ...ending })
  }
  /** A step has an item for its start and one for its end; both have its duration. */
  const step = (event: AgUiEvent, position: string | undefined): void => {
    const name = `mark ${text(event['stepName'])}`
    if (event.type === 'STEP_STARTED') {
      put(name, { kind: 'mark', position, event, took: undefined })
      return
    }
    const begin = items[indexes.get(name) ?? -1]
    indexes.delete(name)
    const took = begin && between(begin.start, time)
    if (begin?.kind === 'mark') items[begin.key] = { ...begin, took }
    put(undefined, { kind: 'mark', position, event, took })
  }
  return {
    add(event, position, arrivedMs) {
      events++
      shown = undefined
      time = { agentMs: timeOf(event['timestamp']), arrivedMs }
      if (/^(?:TEXT|REASONING)_MESSAGE_(?:START|CONTENT|END|CHUNK)$/.test(event.type)) message(event, position)
      else if (/^TOOL_CALL_/.test(event.type)) tool(event, position)
      else if (/^STEP_/.test(event.type)) step(event, position)
      else if (event.type === 'STATE_SNAPSHOT' || event.type === 'STATE_DELTA') {
        const operations = event['delta'] as readonly PatchOperation[] | undefined
        const made = states.add(operations === undefined ? { snapshot: event['snapshot'] } : { operations })
        put(undefined, { kind: 'state', position, operations, ...made })
      } else put(undefined, { kind: 'mark', position, event, took: undefined })
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') close(items)
    },
    now: () =>
      (shown ??= { items: items.slice(), events, state: states.now, stateAfter: ({ number }) => states.after(number) }),
  }
}

/** Nothing goes on after the end of the run. */
function close(items: Item[]): void {
  for (const [index, item] of items.entries())
    if ('isOpen' in item && item.isOpen) items[index] = { ...item, isOpen: false }
}

type Of<K extends Item['kind']> = Extract<Item, { kind: K }>
type NewItem = Item extends infer I ? (I extends Item ? Omit<I, 'key' | 'events' | 'start' | 'end'> : never) : never

function text(value: unknown, otherwise: string = ''): string {
  return typeof value === 'string' ? value : otherwise
}

/** A Unix time in milliseconds that a date can have. */
function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime()) ? value : undefined
}

/** The content of a result of a tool: a text, or parts, of which the texts are shown. */
function contentOf(value: unknown): string {
  if (!Array.isArray(value)) return text(value)
  return value
    .map((part: { readonly text?: unknown; readonly type?: unknown }) => text(part.text, `[${text(part.type)}]`))
    .join('\n')
}
