/** Messages as AG-UI clients keep them. */
import type { AgUiEvent } from './event-shape.ts'

/** A tool call in a message. */
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

/**
 * The tool calls of a message. Only messages of an assistant have any; a member of that name in other messages is
 * ignored.
 */
export function callsOf({ role, toolCalls }: Pick<Message, 'role' | 'toolCalls'>): readonly ToolCall[] {
  return role === 'assistant' ? (toolCalls ?? []) : []
}

/** Merges the metadata of an event by key; later values win. */
export function merge(target: { metadata?: Record<string, unknown> }, event: AgUiEvent): void {
  if (event.metadata !== undefined)
    target.metadata = { ...target.metadata, ...(event.metadata as Record<string, unknown>) }
}

/** Copies a message, because messages are changed in place and the event must stay unchanged. */
export function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
