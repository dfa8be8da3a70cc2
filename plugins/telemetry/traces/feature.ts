/** Traces: W3C trace context, and the export of spans if a collector is configured. */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { Span, StagedSpan, Tracing } from '../../../core/declare/tracing.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import type { TraceContext } from '../../../core/http/request.ts'
import { surfaceNames } from '../../../core/http/route.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import { defineContract, refusesSetting } from '../../../core/testing/contract.ts'
import type {} from '../capabilities.ts'
import { createContextSource, LocalContext } from '../local-context.ts'
import type { FinishedSpan, SpanExport } from './otlp.ts'
import { tracesSettings } from './settings.ts'
import { serverSpan, startSpan } from './spans.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'telemetry.traces': true
  }
}

/** Longest time for sending the last spans on a stop. */
const FLUSH_MS = 3_500
/** Failures of the collector are logged at most once in this time. */
const COMPLAIN_MS = 60_000

/** Feature `telemetry.traces`. */
export const feature: FeatureValue<'telemetry.traces'> = defineFeature({
  id: 'telemetry.traces',
  about: described({
    at: import.meta.url,
    summary: 'W3C trace context, and spans exported by OTLP where a collector is configured',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/api-logs',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/otlp-exporter-base',
      '@opentelemetry/otlp-transformer',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace',
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/semantic-conventions',
    ],
    contract: defineContract({
      present: [
        {
          name: 'a malformed trace context does not fail a request',
          send: { path: '/health', headers: { traceparent: '00-zz-zz-zz', tracestate: ',,,=' } },
          expect: { status: 200, body: { status: 'ok' } },
        },
        {
          name: 'an address that is no collector does not fail the start',
          given: { 'traces.endpoint': 'not an address' },
          send: { path: '/health' },
          expect: { status: 200, body: { status: 'ok' } },
        },
        {
          name: 'a collector that is away does not fail a request',
          given: { 'traces.endpoint': 'http://127.0.0.1:9' },
          send: { path: '/health' },
          expect: { status: 200, body: { status: 'ok' } },
        },
      ],
      absent: [refusesSetting('traces.endpoint', 'http://127.0.0.1:9')],
    }),
  }),
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

/** Starts a span with stages. Each stage ends the stage before it. */
export function startStaged(start: Tracing['start'], name: string, parent: TraceContext | undefined): StagedSpan {
  const whole = start(name, parent)
  let open: Span | undefined
  return {
    stage(stage) {
      open?.end()
      open = start(`${name} ${stage}`, whole.context)
    },
    end(attributes, error) {
      open?.end({}, error)
      whole.end(attributes, error)
    },
  }
}
