/** Traces: W3C trace context, and the export of spans if a collector is configured. */

import { documented } from '../../../core/documented.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import type { Logger } from '../../../core/log.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { Span, Tracing } from '../api.ts'
import type {} from '../capabilities.ts'
import { knownMethod } from '../known-method.ts'
import { createContextSource, LocalContext } from '../local-context.ts'
import type { FinishedSpan, SpanExport } from './otlp.ts'
import { tracesSettings } from './settings.ts'
import { startStaged } from './staged.ts'

/** Longest time for sending the last spans on a stop. */
const FLUSH_MS = 3_500
/** Failures of the collector are logged at most once in this time. */
const COMPLAIN_MS = 60_000

/** The traces. */
export const plugin: Plugin = definePlugin({
  name: 'telemetry.traces',
  feature: 'telemetry.traces',
  provides: ['Tracing'],
  settings: tracesSettings,
  async setup(ctx) {
    const { clock, log, settings } = ctx
    const { 'traces.endpoint': endpoint, 'traces.url': address } = settings
    const configured = `${endpoint}${address}` !== '' && settings['llm.tracing']
    // Loaded where spans may be exported alone, because the SDK takes long to load.
    const environment = configured
      ? (await import('./environment.ts')).readTracesEnvironment(log, clock.monotonic)
      : undefined
    const wanted = environment?.exports === true
    const sampled = environment?.sampled ?? byRatio(settings['traces.sample_ratio'])
    const contexts = createContextSource(ctx.random, wanted ? sampled : undefined)
    let target: SpanExport | undefined
    const write = (span: FinishedSpan): void => {
      if (span.context.sampled) target?.write(span)
    }

    const hook: Hook = {
      onRequest: (request) => {
        request.traceBy = contexts.fromRequest
      },
    }
    for (const name of surfaceNames) ctx.hook(name, wanted ? { ...hook, onReply: serverSpan(clock.now, write) } : hook)
    const start: Tracing['start'] = (name, parent, kind = 'internal') =>
      startSpan(contexts.child(parent), name, kind, clock.now, write)
    ctx.provide('Tracing', {
      start,
      staged: (name, request) => (wanted ? startStaged(start, name, request.trace) : undefined),
      carry: (context) => (context instanceof LocalContext && context.sampled ? context.headers : undefined),
      follow: (name, header) => {
        if (!wanted || header('traceparent') === undefined) return undefined
        const context = contexts.fromRequest({ header })
        // Invalid headers begin a new trace, which would contain only this span.
        if (context.parentId === undefined || !context.sampled) return undefined
        return startSpan(context, name, 'internal', clock.now, write)
      },
    })
    if (environment !== undefined && environment.unsupported.length > 0) {
      const hint = documented('docs/operating.md lists the variables of OpenTelemetry that are read.')
      log.warn('Variables of OpenTelemetry have no effect here.', { variables: environment.unsupported, hint })
    }
    if (!wanted) return
    ctx.onStart(async () => {
      try {
        const { createSpanExport } = await import('./otlp.ts')
        const named = settings['traces.service_name']
        const url = address === '' ? under(endpoint, '/v1/traces') : new URL(address)
        target = createSpanExport({
          url,
          serviceName: named === tracesSettings['traces.service_name'].default ? undefined : named,
          serviceVersion: ctx.manifest.version,
          onFailure: limitedWarning(log, clock.monotonic),
        })
        log.info('Spans are exported.', { endpoint: url.origin })
      } catch (error) {
        log.warn('The exporter of spans could not be made; the service runs without it.', { error })
      }
    })
    ctx.onStop(async () => {
      let timer: unknown
      const late = new Promise<void>((resolve) => {
        timer = clock.setTimeout(resolve, FLUSH_MS)
      })
      await Promise.race([target?.shutdown().catch(() => undefined), late])
      clock.clearTimeout(timer)
    })
  },
})

/** A path under an address, which may have a path itself. */
function under(base: string, path: string): URL {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url
}

/** Writes the span of an answered HTTP request (OpenTelemetry semantic conventions for HTTP servers). */
function serverSpan(now: () => number, write: (span: FinishedSpan) => void): NonNullable<Hook['onReply']> {
  return ({ method: given, route, trace: context }, { status }, durationMs) => {
    if (!(context instanceof LocalContext) || !context.sampled) return
    const method = knownMethod(given)
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

function startSpan(
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

/** Decides by the trace id, so that all services with the same ratio record the same traces. */
function byRatio(ratio: number): (traceId: string, recorded?: boolean) => boolean {
  const bound = ratio * 2 ** 32
  return (traceId, recorded) => recorded ?? Number.parseInt(traceId.slice(-8), 16) < bound
}

function limitedWarning(log: Logger, monotonic: () => number): (error: unknown) => void {
  let quietUntil = -Infinity
  let failures = 0
  return (error) => {
    failures++
    if (monotonic() < quietUntil) return
    quietUntil = monotonic() + COMPLAIN_MS
    log.warn('Spans could not be exported.', { failures, error })
    failures = 0
  }
}
