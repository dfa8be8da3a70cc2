/** Spans of the work that a plugin does (W3C Trace Context). A plugin that exports traces provides `Tracing`. */
import type { TraceContext } from '../http/request.ts'

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
   * Starts a span with stages for a request. The stages are spans named `<name> <stage>`. Returns undefined if nothing
   * is exported, and then draws no ids for the request.
   */
  staged(name: string, request: Traced): StagedSpan | undefined
  /**
   * The headers that continue a trace in another process, such as with a message; undefined if the trace is not
   * recorded.
   */
  carry(context: TraceContext | undefined): Readonly<Record<string, string>> | undefined
  /**
   * Starts a span under the trace whose headers came with a message; undefined if that trace, or this process, records
   * nothing.
   */
  follow(name: string, header: (name: string) => string | undefined): Span | undefined
}
