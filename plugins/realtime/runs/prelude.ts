import type { AgUiEvent } from './event-shape.ts'
import { callsOf } from './message.ts'
import type { EntityKind } from './order/entity-owners.ts'
import type { RunOrder } from './order/run-order.ts'
import type { RunDocument } from './run-document.ts'

/** Everything that a run was at one point of its log. */
export interface PreludePoint {
  readonly order: RunOrder
  readonly document: RunDocument
  /** The run's RUN_STARTED, without its input: that is in the snapshots. */
  readonly started: AgUiEvent | null
}

const kinds: Readonly<Record<string, EntityKind>> = { reasoning: 'thought', activity: 'activity' }

/**
 * The events that put a standard AG-UI client where one is that saw the run from its start: what it holds, then what
 * is open. `gap` stands among them where history was lost. Empty before the run began: nothing may stand before RUN_STARTED.
 *
 * Whatever it says of an entity it says with the owner on record: an untagged start may have continued what a
 * sub-agent began, and a client that joins here would take the missing tag for the run's own.
 */
export function preludeEvents(point: PreludePoint, gap: AgUiEvent | null): readonly AgUiEvent[] {
  const { order, document, started } = point
  if (started === null) return []
  const owned = <T extends Readonly<Record<string, unknown>>>(kind: EntityKind, id: string, said: T): T => {
    const owner = order.ownerOf(kind, id)
    // The run itself on record means that no later event carries a tag, so one that is said here contradicts nothing.
    return owner === undefined || owner === null || said.subagentRunId === owner
      ? said
      : { ...said, subagentRunId: owner }
  }
  // Where an id was given to two messages, a client takes the last one's owner.
  const last = new Map(document.messages.map((message) => [message.id, message]))
  const messages = document.messages.map((message) => {
    if (last.get(message.id) !== message) return message
    const kind = kinds[message.role] ?? 'message'
    // A message that only carries a call, made because the named parent could not, belongs to whoever calls.
    const [call] = callsOf(message)
    if (call !== undefined && order.ownerOf(kind, message.id) === undefined) return owned('call', call.id, message)
    return owned(kind, message.id, message)
  })
  const snapshot: AgUiEvent = { type: 'MESSAGES_SNAPSHOT', messages }
  const events: AgUiEvent[] = [started, { type: 'STATE_SNAPSHOT', snapshot: document.state }, snapshot]
  if (gap !== null) events.push(gap)
  // Those that are over too: a sub-agent that starts later may name one as its parent.
  const subagents = [...order.subagents.all.values()]
  events.push(...subagents.map(({ start }) => start))
  for (const { end } of subagents) if (end !== null) events.push(end)
  events.push(...order.steps.values())

  const lanes = [...order.lanes.open.values()]
  const byChunk = (kind: string): Set<string> => new Set(lanes.filter((lane) => lane.kind === kind).map(({ id }) => id))
  const reopen = (
    kind: EntityKind,
    openers: ReadonlyMap<string, AgUiEvent>,
    chunked: ReadonlySet<string>,
  ): AgUiEvent[] => [...openers].filter(([id]) => !chunked.has(id)).map(([id, opener]) => owned(kind, id, opener))
  const held = new Set(messages.flatMap((message) => [message.id, ...callsOf(message).map((call) => call.id)]))
  // Its place in the snapshot says which message carries a call; a parent named later than that would only confuse.
  const calls = new Map(
    [...order.calls].map(([id, { parentMessageId, ...call }]) => [
      id,
      held.has(id) ? call : { ...call, parentMessageId },
    ]),
  )
  const reopened = [
    ...reopen('message', order.texts, byChunk('text')),
    ...reopen('call', calls as Map<string, AgUiEvent>, byChunk('tool')),
    ...reopen('thought', order.spans, new Set()),
    ...reopen('thought', order.thoughts, byChunk('thought')),
  ]
  events.push(...reopened)
  // A snapshot in mid-stream may have removed a message whose text still runs; opening it again would bring it back.
  if (
    reopened.some(
      (event) => event.type !== 'REASONING_START' && !held.has((event.messageId ?? event.toolCallId) as string),
    )
  ) {
    events.push(snapshot)
  }
  // Last, because any other event of the same agent would end them; opened by a chunk, they go on by chunks.
  for (const { opener } of lanes) events.push(opener)
  return events
}
