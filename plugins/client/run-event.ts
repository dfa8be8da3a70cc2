/** The events of AG-UI 1.0, as types. test/unit/client/run-event.test.ts compares them with those of `@ag-ui/core`. */

/** What every event may have. No interface, because an event fits a type with an index signature. */
type Common = {
  /** Milliseconds since 1970. */
  readonly timestamp?: number
  readonly rawEvent?: unknown
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What an event of an agent or of one of its sub-agents may have. */
type Tagged = Common & {
  /** The sub-agent; absent for the agent itself. */
  readonly subagentRunId?: string
}

/** The source of a part that is no text. */
type PartSource =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url'; readonly value: string; readonly mimeType?: string }
  | { readonly type: 'file'; readonly value: string; readonly provider?: string; readonly mimeType?: string }

/** A part of the content of a message. */
type ContentPart = { readonly id?: string; readonly metadata?: unknown } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio' | 'video' | 'document'; readonly source: PartSource }
)

/** The text of a message, or its parts. */
type Content = string | readonly ContentPart[]

/** An operation of a JSON patch (RFC 6902). */
type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** A call of a tool in a message. */
interface RunToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly encryptedValue?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A message of a conversation. */
export type RunMessage = {
  readonly id: string
  readonly subagentRunId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
} & (
  | ({ readonly name?: string; readonly encryptedValue?: string } & (
      | { readonly role: 'developer' | 'system'; readonly content: string }
      | { readonly role: 'assistant'; readonly content?: string; readonly toolCalls?: readonly RunToolCall[] }
      | { readonly role: 'user'; readonly content: Content }
    ))
  | {
      readonly role: 'tool'
      readonly toolCallId: string
      readonly content: Content
      readonly error?: string
      readonly encryptedValue?: string
    }
  | { readonly role: 'activity'; readonly activityType: string; readonly content: Readonly<Record<string, unknown>> }
  | { readonly role: 'reasoning'; readonly content: string; readonly encryptedValue?: string }
)

/** What a run is called with. */
interface RunInput {
  readonly threadId: string
  readonly runId: string
  readonly protocolVersion?: string
  readonly parentRunId?: string
  readonly state?: unknown
  readonly messages: readonly RunMessage[]
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters?: unknown
    readonly metadata?: Readonly<Record<string, unknown>>
  }[]
  readonly context: readonly { readonly description: string; readonly value: string }[]
  readonly forwardedProps?: unknown
  readonly resume?: readonly {
    readonly interruptId: string
    readonly status: 'resolved' | 'cancelled'
    readonly payload?: unknown
    readonly metadata?: Readonly<Record<string, unknown>>
  }[]
}

/** How a run has finished. */
type RunOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'cancelled' }
  | {
      readonly type: 'interrupt'
      readonly interrupts: readonly {
        readonly subagentRunId?: string
        readonly id: string
        readonly reason: string
        readonly message?: string
        readonly toolCallId?: string
        readonly responseSchema?: Readonly<Record<string, unknown>>
        readonly expiresAt?: string
        readonly metadata?: Readonly<Record<string, unknown>>
      }[]
    }

/** What models have used. */
interface TokenUsage {
  readonly provider?: string
  readonly model?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly totalTokens?: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens?: number
  readonly cacheWriteInputTokens?: number
}

type Role = 'developer' | 'system' | 'assistant' | 'user'

/** The members of each event, by its type. */
interface Members {
  readonly TEXT_MESSAGE_START: Tagged & { readonly messageId: string; readonly role?: Role; readonly name?: string }
  readonly TEXT_MESSAGE_CONTENT: Tagged & { readonly messageId: string; readonly delta: string }
  readonly TEXT_MESSAGE_END: Tagged & { readonly messageId: string }
  readonly TEXT_MESSAGE_CHUNK: Tagged & {
    readonly messageId?: string
    readonly role?: Role
    readonly delta?: string
    readonly name?: string
  }
  readonly TOOL_CALL_START: Tagged & {
    readonly toolCallId: string
    readonly toolCallName: string
    readonly parentMessageId?: string
  }
  readonly TOOL_CALL_ARGS: Tagged & { readonly toolCallId: string; readonly delta: string }
  readonly TOOL_CALL_END: Tagged & { readonly toolCallId: string }
  readonly TOOL_CALL_CHUNK: Tagged & {
    readonly toolCallId?: string
    readonly toolCallName?: string
    readonly parentMessageId?: string
    readonly delta?: string
  }
  readonly TOOL_CALL_RESULT: Tagged & {
    readonly messageId: string
    readonly toolCallId: string
    readonly content: Content
    readonly role?: 'tool'
  }
  readonly STATE_SNAPSHOT: Tagged & { readonly snapshot: unknown }
  readonly STATE_DELTA: Tagged & { readonly delta: readonly PatchOperation[] }
  readonly MESSAGES_SNAPSHOT: Common & { readonly messages: readonly RunMessage[] }
  readonly ACTIVITY_SNAPSHOT: Tagged & {
    readonly messageId: string
    readonly activityType: string
    readonly content: Readonly<Record<string, unknown>>
    readonly replace?: boolean
  }
  readonly ACTIVITY_DELTA: Tagged & {
    readonly messageId: string
    readonly activityType: string
    readonly patch: readonly PatchOperation[]
  }
  readonly RAW: Tagged & { readonly event: unknown; readonly source?: string }
  readonly CUSTOM: Tagged & { readonly name: string; readonly value: unknown }
  readonly RUN_STARTED: Common & {
    readonly threadId: string
    readonly runId: string
    readonly protocolVersion?: string
    readonly parentRunId?: string
    readonly input?: RunInput
  }
  readonly RUN_FINISHED: Common & {
    readonly threadId: string
    readonly runId: string
    readonly result?: unknown
    readonly outcome?: RunOutcome
    readonly usage?: readonly TokenUsage[]
  }
  readonly RUN_ERROR: Common & {
    readonly message: string
    readonly code?: string
    readonly usage?: readonly TokenUsage[]
  }
  readonly STEP_STARTED: Tagged & { readonly stepName: string }
  readonly STEP_FINISHED: Tagged & { readonly stepName: string }
  readonly REASONING_START: Tagged & { readonly messageId: string }
  readonly REASONING_MESSAGE_START: Tagged & { readonly messageId: string; readonly role: 'reasoning' }
  readonly REASONING_MESSAGE_CONTENT: Tagged & { readonly messageId: string; readonly delta: string }
  readonly REASONING_MESSAGE_END: Tagged & { readonly messageId: string }
  readonly REASONING_MESSAGE_CHUNK: Tagged & { readonly messageId?: string; readonly delta?: string }
  readonly REASONING_END: Tagged & { readonly messageId: string }
  readonly REASONING_ENCRYPTED_VALUE: Tagged & {
    readonly subtype: 'tool-call' | 'message'
    readonly entityId: string
    readonly encryptedValue: string
  }
  readonly SUBAGENT_STARTED: Common & {
    readonly subagentRunId: string
    readonly name: string
    readonly description?: string
    readonly parentSubagentRunId?: string
    readonly parentToolCallId?: string
    readonly parentMessageId?: string
  }
  readonly SUBAGENT_FINISHED: Common & {
    readonly subagentRunId: string
    readonly result?: unknown
    readonly outcome?:
      | { readonly type: 'success' }
      | { readonly type: 'suspended'; readonly interruptIds?: readonly string[] }
  }
  readonly SUBAGENT_ERROR: Common & { readonly subagentRunId: string; readonly message: string; readonly code?: string }
}

/** An event of a run: a union, which `switch (event.type)` narrows. */
export type RunEvent = { [Type in keyof Members]: { readonly type: Type } & Members[Type] }[keyof Members]
