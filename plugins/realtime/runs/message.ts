/** Messages as AG-UI clients keep them. */
import type { AgUiEvent } from './event-shape.ts'

/** A tool call, as its message carries it. */
export interface ToolCall {
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

/** The tool calls of a message. Only an assistant has any; what others carry under that name is nobody's affair. */
export function callsOf({ role, toolCalls }: Pick<Message, 'role' | 'toolCalls'>): readonly ToolCall[] {
  return role === 'assistant' ? (toolCalls ?? []) : []
}

/** Folds an event's metadata into what the event builds, key by key, the later one winning. */
export function merge(target: { metadata?: Record<string, unknown> }, event: AgUiEvent): void {
  if (event.metadata !== undefined)
    target.metadata = { ...target.metadata, ...(event.metadata as Record<string, unknown>) }
}

/** Messages are changed in place here, so what came in with an event must not be shared with it. */
export function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
