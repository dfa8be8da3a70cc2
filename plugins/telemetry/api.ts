/** The interfaces that telemetry offers to other plugins. */
import type { TraceContext } from '../../core/http/request.ts'

/** One call of a language model. */
export interface LlmCall {
  readonly provider: string
  readonly model: string
  readonly durationSeconds: number
  readonly costUsd?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Tokens read from, and written to, the provider's prompt cache. */
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
}

/**
 * Records observations that the surfaces cannot make themselves. No method throws. A number that is not finite, and a negative
 * number for a counter, is ignored. Each label has at most 200 values; further values become `other`, so that a label value
 * from data cannot create series without bound.
 */
export interface Telemetry {
  llmCall(call: LlmCall): void
  /** Whether a provider of language models answers. */
  providerUp(provider: string, up: boolean): void
  /** `outcome` is a word such as `ok`, `error`, `timeout`. */
  toolResult(tool: string, outcome: string): void
  /** A session began (1) or ended (-1). */
  sessions(change: 1 | -1): void
  sandboxActivity(action: string): void
  sandboxError(kind: string): void
  guardrail(guardrail: string, verdict: string): void
  /** From 0 (plain-spoken) to 1 (flattering). */
  sycophancy(score: number): void
  evaluation(suite: string, score: number): void
  evaluationRegression(suite: string): void
  skillActivated(skill: string): void
  skillOutcome(skill: string, outcome: string): void
}

/** The attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A span that has not ended. */
export interface Span {
  /** For log records, and as the parent of further spans. */
  readonly context: TraceContext
  /** `traceparent`, and `tracestate` if present, for outgoing requests (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>
  /** Ends the span; `error` marks it as failed. A second call does nothing. */
  end(attributes?: SpanAttributes, error?: unknown): void
}

/** Something that may belong to a trace, such as a request. */
export interface Traced {
  readonly trace: TraceContext | undefined
}

/** A span with successive stages, which are its child spans. */
export interface StagedSpan {
  /** Ends the current stage and begins another. */
  stage(name: string): void
  /** Ends the current stage and the whole span; `error` marks both as failed. */
  end(attributes?: SpanAttributes, error?: unknown): void
}

/** Creates spans. Spans have the ids of the trace even if nothing is exported. No method throws. */
export interface Tracing {
  /** Starts a span under `parent`, or in a new trace. `client` is for requests to other services. */
  start(name: string, parent?: TraceContext, kind?: 'internal' | 'client'): Span
  /**
   * Starts a span with stages for a request. The stages are spans named `<name> <stage>`. Returns undefined if nothing is
   * exported, and then draws no ids for the request.
   */
  staged(name: string, request: Traced): StagedSpan | undefined
  /** The headers that continue a trace in another process, such as with a message; undefined if the trace is not recorded. */
  carry(context: TraceContext | undefined): Readonly<Record<string, string>> | undefined
  /** Starts a span under the trace whose headers came with a message; undefined if that trace, or this process, records nothing. */
  follow(name: string, header: (name: string) => string | undefined): Span | undefined
}

/** A log entry with the members of a JSON line. Secrets are removed. */
export interface LoggedEntry {
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string
  /** `TRACE`, `DEBUG`, `INFO`, `WARN` or `ERROR`. */
  readonly level: string
  readonly target: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Receives each log entry that passes the filter, as data and as a line in the configured format with its newline. */
export type LogOutput = (entry: LoggedEntry, line: string) => void

/** One check of a surface in the history. */
export interface CheckDay {
  readonly name: string
  readonly surface: string
  readonly required: boolean
  /** Whether it passed each time in the minute; null where nothing is known. */
  readonly values: readonly (boolean | null)[]
}

/** The last day of the service, as `GET /api/v1/history` answers. Each list has a value for each minute, the oldest first, and null where nothing is known. */
export interface Day {
  /** Unix time in milliseconds at which the first minute begins. */
  readonly fromMs: number
  /** The milliseconds from one value to the next. */
  readonly stepMs: number
  readonly checks: readonly CheckDay[]
  readonly requests: readonly (number | null)[]
  readonly errors: readonly (number | null)[]
  readonly refusals: readonly (number | null)[]
  readonly p95Ms: readonly (number | null)[]
  readonly streams: readonly (number | null)[]
  readonly starts: readonly (number | null)[]
}
