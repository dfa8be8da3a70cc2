/** What the telemetry features offer to other plugins. */
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
 * Records what the surfaces of the service do not see by themselves. No method throws: a number that is not finite, or
 * negative where the family only grows, is left out. Label values beyond the 200th of a label become `other`, so a value
 * may come from data, though it should come from code.
 */
export interface Telemetry {
  llmCall(call: LlmCall): void
  /** Whether a provider of models answers. */
  providerUp(provider: string, up: boolean): void
  /** `outcome` is a word such as `ok`, `error`, `timeout`. */
  toolResult(tool: string, outcome: string): void
  toolServerUp(server: string, up: boolean): void
  /** A session began (1) or ended (-1). */
  sessions(change: 1 | -1): void
  sandboxActivity(action: string): void
  sandboxError(kind: string): void
  guardrail(guardrail: string, verdict: string): void
  /** 0: plain-spoken; 1: flattering. */
  sycophancy(score: number): void
  evaluation(suite: string, score: number): void
  evaluationRegression(suite: string): void
  skillActivated(skill: string): void
  skillOutcome(skill: string, outcome: string): void
  /** Log lines that could not be written. */
  logDropped(lines: number): void
  /** A server refused a request by itself: no surface has seen it, and `svc_http_requests_total` does not have it. */
  httpRefused(status: number): void
  /** An event stream of a kind was opened (1) or closed (-1). */
  sseConnections(stream: string, change: 1 | -1): void
  /** Events that a slow reader of a stream did not get. */
  sseDropped(stream: string, count: number): void
  /** A connection of a peer was opened (1) or closed (-1). */
  peerConnections(change: 1 | -1): void
  /** A request of a peer was answered (`in`), or one to a peer (`out`), with so many bytes of bodies. */
  peerExchange(direction: 'in' | 'out', outcome: string, bytes: number): void
  /** A peer said what became of a push: `received`, `applied`, `rejected`, or a false word: `false`. */
  peerWord(state: string): void
  /** `result` is the outcome of a push, such as `created`, `replayed` or an error code. */
  syncPush(result: string, durationSeconds: number): void
  /** `type` is a type of commands of boards, `outcome` is `created`, `replayed` or an error code. */
  kbdCommand(type: string, outcome: string, durationSeconds: number): void
  /** Judging a command and folding it into its board, inside the transaction. */
  kbdFold(durationSeconds: number): void
  /** Where a project stands: how many heads its commands have, and how many conflicts are open. */
  kbdProject(project: string, heads: number, conflicts: number): void
  /** Whether an engine that the nodes of a cluster share answers. */
  clusterEngine(engine: string, up: boolean): void
  /** What became of an append to a run that nodes share: `written`, `moved`, `refused` or `unknown`. */
  clusterAppend(outcome: string): void
}

/** What a span can say about itself. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A piece of work being timed. */
export interface Span {
  /** For the log records of the work, and as the parent of further spans. */
  readonly context: TraceContext
  /** `traceparent`, and `tracestate` where there is one, for requests that the work sends (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>
  /** Ends the span; `error` marks it as failed. A second call does nothing. */
  end(attributes?: SpanAttributes, error?: unknown): void
}

/** Something that may be part of a trace, as a request is. */
export interface Traced {
  readonly trace: TraceContext | undefined
}

/** Work that goes through stages, one after another, each a span under that of the whole. */
export interface StagedSpan {
  /** Ends the stage before and begins another. */
  stage(name: string): void
  /** Ends the stage that is open and the whole; `error` marks both as failed. */
  end(attributes?: SpanAttributes, error?: unknown): void
}

/** Makes spans. Where nothing is exported they still carry the ids of the trace. No method throws. */
export interface Tracing {
  /** Starts a span under `parent`, or as a trace of its own. `client` is for requests to other services. */
  start(name: string, parent?: TraceContext, kind?: 'internal' | 'client'): Span
  /**
   * Starts a span for a request whose stages are spans of their own, named `<name> <stage>`; undefined where nothing is
   * exported: then the ids of a trace are not made for it either.
   */
  staged(name: string, request: Traced): StagedSpan | undefined
}

/** A log entry: what a JSON line of the log holds, secrets already out. */
export interface LoggedEntry {
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string
  /** `TRACE`, `DEBUG`, `INFO`, `WARN` or `ERROR`. */
  readonly level: string
  readonly target: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Takes each wanted entry, and the same printed in the configured format, with its newline. */
export type LogOutput = (entry: LoggedEntry, line: string) => void
