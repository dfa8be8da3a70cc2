/** The variables of OpenTelemetry that the SDK defines, read by the SDK itself. */
import { DiagLogLevel, diag, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api'
import { getBooleanFromEnv, getStringFromEnv, getStringListFromEnv } from '@opentelemetry/core'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../../../core/kernel/log.ts'

declare const __PROGRAM__: boolean

/** What the environment says about traces. */
export interface TracesEnvironment {
  /** Whether spans are exported at all: `OTEL_SDK_DISABLED`, `OTEL_TRACES_EXPORTER`. */
  readonly exports: boolean
  /**
   * The sampler of `OTEL_TRACES_SAMPLER`; undefined if it is not set. `recorded` is the decision of the caller, if it
   * brings a trace.
   */
  readonly sampled: ((traceId: string, recorded?: boolean) => boolean) | undefined
  /** Variables that are set and have no effect here, each with its value where the value is at fault. */
  readonly unsupported: readonly string[]
}

/**
 * Reads the environment of the process. What the SDK says about it, and about spans that a collector rejects, is
 * logged.
 */
export function readTracesEnvironment(log: Logger, monotonic: () => number): TracesEnvironment {
  // The SDK has one logger in a process, which is the host's in a library.
  if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__) logDiagnostics(log, monotonic)
  const exporters = getStringListFromEnv('OTEL_TRACES_EXPORTER') ?? ['otlp']
  return {
    exports: getBooleanFromEnv('OTEL_SDK_DISABLED') !== true && !exporters.includes('none'),
    sampled: getStringFromEnv('OTEL_TRACES_SAMPLER') === undefined ? undefined : createSampler(),
    unsupported: [
      ...exporters.filter((name) => name !== 'otlp' && name !== 'none').map((name) => `OTEL_TRACES_EXPORTER=${name}`),
      ...protocols.flatMap((variable) => {
        const value = getStringFromEnv(variable)
        return value === undefined || value === 'http/protobuf' ? [] : [`${variable}=${value}`]
      }),
      ...others.filter((variable) => getStringFromEnv(variable) !== undefined),
    ],
  }
}

function logDiagnostics(log: Logger, monotonic: () => number): void {
  const quietUntilMs = new Map<string, number>()
  const warn = (message: string, ...details: unknown[]): void => {
    if (monotonic() < (quietUntilMs.get(message) ?? 0)) return
    quietUntilMs.set(message, monotonic() + QUIET_MS)
    log.warn('The OpenTelemetry SDK reports a problem.', { problem: [message, ...details].map(String).join(' ') })
  }
  // Errors with a stack are failed exports, which are reported with their number.
  const error = (message: string, ...details: unknown[]): void => {
    if (!message.startsWith('{')) warn(message, ...details)
  }
  const quiet = (): void => undefined
  const logger = { warn, error, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

const protocols = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']

/** Defined by the specification, and without a reader here. Metrics are read at /metrics, and logs from the output. */
const others = [
  'OTEL_CONFIG_FILE',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
  'OTEL_LOGS_EXPORTER',
  'OTEL_LOG_LEVEL',
  'OTEL_METRICS_EXPORTER',
  'OTEL_PROPAGATORS',
]

/** The SDK has its sampler only inside a provider: a span without a processor shows the decision. */
function createSampler(): (traceId: string, recorded?: boolean) => boolean {
  let next = ''
  const idGenerator = { generateTraceId: () => next, generateSpanId: () => SPAN_ID }
  const tracer = new BasicTracerProvider({ idGenerator }).getTracer('svc')
  return (traceId, recorded) => {
    next = traceId
    const traceFlags = recorded ? TraceFlags.SAMPLED : TraceFlags.NONE
    const parent = { traceId, spanId: SPAN_ID, traceFlags, isRemote: true }
    const context = recorded === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    return (tracer.startSpan('', {}, context).spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
  }
}

/** The same problem is logged at most once in this time, in milliseconds. */
const QUIET_MS = 60_000

const SPAN_ID = '0000000000000001'
