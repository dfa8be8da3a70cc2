/** Spans of requests and of work inside of the service. */
import type { Span, Tracing } from '../../../core/declare/tracing.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { knownMethod } from '../known-method.ts'
import { LocalContext } from '../local-context.ts'
import type { FinishedSpan } from './otlp.ts'

/** Writes the span of an answered HTTP request (OpenTelemetry semantic conventions for HTTP servers). */
export function serverSpan(now: () => number, write: (span: FinishedSpan) => void): NonNullable<Hook['onReply']> {
  return ({ method: requestMethod, route, trace: context }, { status }, durationMs) => {
    if (!(context instanceof LocalContext) || !context.sampled) return
    const method = knownMethod(requestMethod)
    const endMs = now()
    write({
      name: `${method} ${route}`,
      kind: 'server',
      context,
      startMs: endMs - durationMs,
      endMs,
      attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
      failure: status >= 500 ? String(status) : undefined,
    })
  }
}

/** Starts a span. Its end writes the span, once. */
export function startSpan(
  context: LocalContext,
  name: string,
  kind: 'internal' | 'client',
  now: () => number,
  write: (span: FinishedSpan) => void,
): ReturnType<Tracing['start']> {
  const startMs = now()
  let ended = false
  const end: Span['end'] = (attributes = {}, error) => {
    if (ended) return
    ended = true
    // Only the name of the error is exported, because a message may quote private data.
    const failure = error === undefined ? undefined : error instanceof Error ? error.name : 'error'
    write({ name, kind, context, startMs, endMs: now(), attributes, failure })
  }
  return { context, headers: context.headers, end }
}
