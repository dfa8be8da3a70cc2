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
  toolServerUp(server: string, up: boolean): void
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
  /** Log lines that could not be written. */
  logDropped(lines: number): void
  /** A server refused a request before it reached a surface; `svc_http_requests_total` does not count it. */
  httpRefused(status: number): void
  /** An event stream of a kind was opened (1) or closed (-1). */
  sseConnections(stream: string, change: 1 | -1): void
  /** Events that were dropped because a reader of a stream was too slow. */
  sseDropped(stream: string, count: number): void
  /** A connection of a peer was opened (1) or closed (-1). */
  peerConnections(change: 1 | -1): void
  /** A request of a peer (`in`) or to a peer (`out`) was answered; `bytes` is the size of both bodies. */
  peerExchange(direction: 'in' | 'out', outcome: string, bytes: number): void
  /** A peer acknowledged a push as `received`, `applied` or `rejected`; `false` stands for an invalid acknowledgement. */
  peerAcknowledgement(state: string): void
  /** The size of the write-ahead log of the store. */
  storeLog(bytes: number): void
  /** `result` is the outcome of a push, such as `created`, `replayed` or an error code. */
  syncPush(result: string, durationSeconds: number): void
  /** `type` is the type of a board command; `outcome` is `created`, `replayed` or an error code. */
  kbdCommand(type: string, outcome: string, durationSeconds: number): void
  /** The time for admitting a command and applying it to its board, inside the transaction. */
  kbdFold(durationSeconds: number): void
  /** The number of heads of a project, and the number of its open conflicts. */
  kbdProject(project: string, heads: number, conflicts: number): void
  /** Whether a database or broker that the nodes of a cluster share answers. */
  clusterEngine(engine: string, up: boolean): void
  /** The outcome of an append to a run that nodes share: `written`, `moved`, `refused` or `unknown`. */
  clusterAppend(outcome: string, durationSeconds: number): void
  /** Whether a broker takes appends to the runs that nodes share. */
  clusterAppendsUp(engine: string, up: boolean): void
  /** Makes the series of appends to shared runs exist before the first append. */
  clusterBegin(outcomes: readonly string[]): void
  /** Appends that this node has not seen yet, and its consumers of NATS. */
  clusterRuns(lag: number, consumers: number): void
  /** Another server of NATS leads the stream of the runs. */
  clusterLeaderChanged(): void
  /** A message of NATS that no node wrote was skipped; `kind` is `run`, `base` or `live`. */
  clusterSkipped(kind: string): void
  /** The age of the last answer about API keys. */
  clusterKeyAge(seconds: number): void
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
