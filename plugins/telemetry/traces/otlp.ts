/** Passes finished spans to the OpenTelemetry SDK, which sends them as OTLP over HTTP in protobuf. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { SpanAttributes } from '../../../core/declare/tracing.ts'
import type { LocalContext } from '../local-context.ts'

/** A span that has ended. */
export interface FinishedSpan {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  readonly context: LocalContext
  /** Unix time in milliseconds. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: SpanAttributes
  /** Name of the error; undefined for a successful span. */
  readonly failure?: string | undefined
}

/** The export of spans. */
export interface SpanExport {
  /** Queues a span. A full queue drops the span, so that neither callers nor memory depend on the collector. */
  write(span: FinishedSpan): void
  /** Sends the queued spans, then closes. */
  shutdown(): Promise<void>
}

/** Configuration of an export. */
export interface SpanExportOptions {
  /** Address to which spans are sent. */
  readonly url: URL
  /** Undefined if no setting names the service. */
  readonly serviceName: string | undefined
  readonly serviceVersion: string
  /** Called for every batch that could not be sent, and when the queue becomes full. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Creates the export. The SDK reads headers, compression and further options from the `OTEL_EXPORTER_OTLP_*` variables.
 * @throws Error if the address is not one of HTTP, or if the SDK refuses its configuration
 */
export function createSpanExport(options: SpanExportOptions): SpanExport {
  const { url, serviceName, serviceVersion, onFailure } = options
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('The endpoint must be an HTTP address.')
  const exporter = new OTLPTraceExporter({ url: url.href, timeoutMillis: BATCH_MS })
  let waiting = 0
  let full = false
  const counting = withResult(exporter, (count, error) => {
    waiting -= count
    full = false
    if (error !== undefined) onFailure(error)
  })
  const ids = { traceId: '', spanId: '' }
  const provider = new BasicTracerProvider({
    resource: toResource(serviceName, serviceVersion),
    // Spans are sampled before they reach the SDK.
    sampler: new AlwaysOnSampler(),
    // The ids were drawn when the span began, because logs and outgoing requests contain them.
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    // The limit of the SDK is never reached, because the SDK drops spans without a report.
    spanProcessors: [new BatchSpanProcessor(counting, { maxQueueSize: 2 * MAX_WAITING })],
  })
  const tracer = provider.getTracer('svc', serviceVersion)
  return {
    write: ({ name, kind, context, startMs, endMs, attributes, failure }) => {
      if (waiting >= MAX_WAITING) {
        if (!full) onFailure(new Error(`the collector is too slow: ${MAX_WAITING} spans wait, later ones are dropped`))
        full = true
        return
      }
      waiting++
      ids.traceId = context.traceId
      ids.spanId = context.spanId
      const span = tracer.startSpan(name, { kind: kinds[kind], startTime: startMs, attributes }, parentOf(context))
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end(endMs)
    },
    shutdown: () => provider.shutdown(),
  }
}

/** Time limit of one batch, retries included, so that the last batch ends within the grace time of a stop. */
const BATCH_MS = 3_000
/** Maximum number of waiting spans. A span has about 1 KiB. */
const MAX_WAITING = 8_192

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/**
 * What is named later wins: the defaults, `OTEL_RESOURCE_ATTRIBUTES`, the setting, which `OTEL_SERVICE_NAME` gives too.
 */
function toResource(serviceName: string | undefined, version: string): Resource {
  const attributes = serviceName === undefined ? {} : { 'service.name': serviceName }
  return resourceFromAttributes({ 'service.name': 'svc', 'service.version': version })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(attributes))
}

function parentOf({ traceId, parentId }: LocalContext): typeof ROOT_CONTEXT {
  if (parentId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED })
}

/**
 * Wraps the exporter so that `onEnd` is called after each batch. The SDK itself reports failures to a handler of the
 * whole process, which a library must not set.
 */
function withResult(exporter: OTLPTraceExporter, onEnd: (count: number, error?: Error) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        onEnd(spans.length, result.error)
        done(result)
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
