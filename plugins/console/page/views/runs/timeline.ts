/** Builds a timeline from the AG-UI events of a run. Events that belong together become one item. */
import { applyPatch, type PatchOperation } from '../../lib/json-patch.ts'

/** An AG-UI event. */
export interface AgUiEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** The members that every item has. */
interface Common {
  /** Unique within the timeline. */
  readonly key: number
  /** The position of the first event of the item, `<epoch>-<seq>`; undefined within a snapshot. */
  readonly position: string | undefined
  /** Number of events in the item. */
  readonly events: number
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
  readonly isOpen: boolean
}

/** A change of the state: a snapshot, or the operations of a patch. */
export interface StateItem extends Common {
  readonly kind: 'state'
  readonly operations: readonly PatchOperation[] | undefined
  /** The state after the change. */
  readonly state: unknown
  /** Why the patch could not be applied to the state. */
  readonly problem: string | undefined
}

/** Any other event. */
export interface MarkItem extends Common {
  readonly kind: 'mark'
  readonly event: AgUiEvent
}

/** One item of a timeline. Items are immutable: a newer item with the same key replaces an older one. */
export type Item = MessageItem | ToolItem | StateItem | MarkItem

/** The present content of a timeline. */
export interface Timeline {
  readonly items: readonly Item[]
  readonly events: number
  /** The state of the run; undefined if the run has no state yet. */
  readonly state: unknown
}

/** The timeline of one run. */
export interface TimelineBuilder {
  add(event: AgUiEvent, position: string | undefined): void
  /** The timeline so far; the same object until an event is added. */
  now(): Timeline
}

/** Creates an empty timeline. */
export function createTimeline(): TimelineBuilder {
  const items: Item[] = []
  /** The index of an item, by kind and id. */
  const indexes = new Map<string, number>()
  let events = 0
  let state: unknown
  let shown: Timeline | undefined

  const put = (id: string | undefined, item: NewItem): void => {
    if (id !== undefined) indexes.set(id, items.length)
    items.push({ ...item, key: items.length, events: 1 } as Item)
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
    items[index] = { ...item, events: item.events + 1, ...to(item as Of<K>) } as Item
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
    const result = isResult ? text(event['content']) : undefined
    const isOpen = !isResult && event.type !== 'TOOL_CALL_END'
    if (change('tool', id, (item) => ({ input: item.input + part, result: result ?? item.result, isOpen }))) return
    put(`tool ${id}`, {
      kind: 'tool',
      position,
      id,
      name: text(event['toolCallName'], 'tool'),
      input: part,
      result,
      isOpen,
    })
  }
  const patch = (operations: readonly PatchOperation[], position: string | undefined): void => {
    let problem: string | undefined
    try {
      state = applyPatch(state, operations)
    } catch (error) {
      problem = (error as Error).message
    }
    put(undefined, { kind: 'state', position, operations, state, problem })
  }
  return {
    add(event, position) {
      events++
      shown = undefined
      if (/^(?:TEXT|REASONING)_MESSAGE_(?:START|CONTENT|END|CHUNK)$/.test(event.type)) message(event, position)
      else if (/^TOOL_CALL_/.test(event.type)) tool(event, position)
      else if (event.type === 'STATE_SNAPSHOT') {
        state = event['snapshot']
        put(undefined, { kind: 'state', position, operations: undefined, state, problem: undefined })
      } else if (event.type === 'STATE_DELTA') patch(event['delta'] as readonly PatchOperation[], position)
      else put(undefined, { kind: 'mark', position, event })
    },
    now: () => (shown ??= { items: items.slice(), events, state }),
  }
}

type Of<K extends Item['kind']> = Extract<Item, { kind: K }>
type NewItem = Item extends infer I ? (I extends Item ? Omit<I, 'key' | 'events'> : never) : never

function text(value: unknown, otherwise: string = ''): string {
  return typeof value === 'string' ? value : otherwise
}
