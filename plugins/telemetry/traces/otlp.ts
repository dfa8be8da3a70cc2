/** Hands finished spans to the OpenTelemetry SDK, which sends them as OTLP over HTTP in protobuf. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { SpanAttributes } from '../api.ts'
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
  /** What failed, in a word; undefined where nothing did. */
  readonly failure?: string | undefined
}

/** The way out for spans. */
export interface SpanExport {
  /** Takes a span. A full queue drops it: spans never wait and never grow without bound. */
  write(span: FinishedSpan): void
  /** Sends what is buffered, then closes. */
  shutdown(): Promise<void>
}

/** What an export needs. */
export interface SpanExportOptions {
  /** Base address of the collector. */
  readonly endpoint: string
  readonly serviceName: string
  readonly serviceVersion: string
  /** Told of every batch that could not be sent, and of the first span of each row that found the queue full. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Makes the export. Headers, compression and the like come from the `OTEL_EXPORTER_OTLP_*` variables, which the SDK
 * reads itself.
 * @throws where the endpoint is no HTTP address, or the SDK refuses its configuration
 */
export function createSpanExport(options: SpanExportOptions): SpanExport {
  const { endpoint, serviceName, serviceVersion, onFailure } = options
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: BATCH_MS })
  let waiting = 0
  let full = false
  const counting = telling(exporter, (count, error) => {
    waiting -= count
    full = false
    if (error !== undefined) onFailure(error)
  })
  const ids = { traceId: '', spanId: '' }
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': serviceVersion }),
    // What arrives here has been sampled already.
    sampler: new AlwaysOnSampler(),
    // The ids were given out when the work began, so that logs and outgoing requests could carry them.
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    // Its own limit is out of reach: it would drop without a word.
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

/** Longest time for one batch, retries included: the last batch must be through, or given up, within a stop. */
const BATCH_MS = 3_000
/** Spans that wait for the collector at most; a span is about a kilobyte. */
const MAX_WAITING = 8_192

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

function parentOf({ traceId, parentId }: LocalContext): typeof ROOT_CONTEXT {
  if (parentId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED })
}

function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('The endpoint must be an HTTP address.')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  return url.href
}

/**
 * The exporter, with the end of each batch told. The SDK reports failures to a handler of the whole process, which is
 * not ours to set.
 */
function telling(exporter: OTLPTraceExporter, onEnd: (count: number, error?: Error) => void): SpanExporter {
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
