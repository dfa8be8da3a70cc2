/**
 * What a stream with `stream_mode=agui_spec` sends first: the events that bring a standard AG-UI client to the point
 * where it joins.
 */
import type { AgUiEvent } from '../event-shape.ts'
import { callsOf } from '../message.ts'
import type { EntityKind } from '../order/entity-owners.ts'
import type { RunOrder } from '../order/run-order.ts'
import type { RunDocument } from '../run-document.ts'

/** The state of a run at one point of its log. */
export interface PreludePoint {
  readonly order: RunOrder
  readonly document: RunDocument
  /** The RUN_STARTED of the run without its input, which is in the snapshots. */
  readonly started: AgUiEvent | null
}

/**
 * How many events a prelude begins with before the place of the gap event: RUN_STARTED, STATE_SNAPSHOT,
 * MESSAGES_SNAPSHOT.
 */
export const EVENTS_BEFORE_GAP = 3

const kinds: Readonly<Record<string, EntityKind>> = { reasoning: 'thought', activity: 'activity' }

/**
 * The events that give a standard AG-UI client the state of a client that got the run from its start: RUN_STARTED and
 * the snapshots, then what is open. Empty before the run began, because nothing may come before RUN_STARTED.
 *
 * Each event about an entity has the recorded owner as its tag: an untagged start may have continued an entity of a
 * sub-agent, and a client that joins here would take an untagged event for one of the run itself.
 */
export function preludeEvents(point: PreludePoint): readonly AgUiEvent[] {
  const { order, document, started } = point
  if (started === null) return []
  const owned = <T extends Readonly<Record<string, unknown>>>(kind: EntityKind, id: string, said: T): T => {
    const owner = order.ownerOf(kind, id)
    // If the run itself is the owner, no later event has a tag, so a tag here contradicts none.
    return owner === undefined || owner === null || said.subagentRunId === owner
      ? said
      : { ...said, subagentRunId: owner }
  }
  // If two messages have the same id, clients use the owner of the last one.
  const last = new Map(document.messages.map((message) => [message.id, message]))
  const messages = document.messages.map((message) => {
    if (last.get(message.id) !== message) return message
    const kind = kinds[message.role] ?? 'message'
    // A message that exists only to carry a call belongs to the agent of the call.
    const [call] = callsOf(message)
    if (call !== undefined && order.ownerOf(kind, message.id) === undefined) return owned('call', call.id, message)
    return owned(kind, message.id, message)
  })
  const snapshot: AgUiEvent = { type: 'MESSAGES_SNAPSHOT', messages }
  const events: AgUiEvent[] = [started, { type: 'STATE_SNAPSHOT', snapshot: document.state }, snapshot]
  // Ended sub-agents too, because a later sub-agent may name one as its parent.
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
  // The snapshot shows which message carries a call. A parent in the start event could contradict it.
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
  // An earlier snapshot event may have removed a message whose text is still open. Opening it again would restore the
  // message.
  if (
    reopened.some(
      (event) => event.type !== 'REASONING_START' && !held.has((event.messageId ?? event.toolCallId) as string),
    )
  ) {
    events.push(snapshot)
  }
  // Chunk streams come last, because any other event of the same agent ends them. They are opened by a chunk, so that
  // further chunks continue them.
  for (const { opener } of lanes) events.push(opener)
  return events
}
