/** The settings of traces. Some have the names of OpenTelemetry's environment variables. */
import { documented } from '../../../core/declare/described.ts'
import { decimal, type Setting, text } from '../../../core/declare/settings.ts'

/** Settings of feature `telemetry.traces`. */
export const tracesSettings: {
  readonly 'traces.endpoint': Setting<string>
  readonly 'traces.url': Setting<string>
  readonly 'llm.tracing': Setting<boolean>
  readonly 'traces.sample_ratio': Setting<number>
  readonly 'traces.service_name': Setting<string>
} = {
  'traces.endpoint': address({
    summary: documented('Base address of an OTLP collector; spans go to /v1/traces under it. Empty exports nothing.'),
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  'traces.url': address({
    summary: documented('Address to which spans are sent as it is; set, it is used in place of traces.endpoint.'),
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  }),
  'llm.tracing': {
    default: true,
    summary: documented(
      'Whether spans are exported where an endpoint is set; false, 0, off and no switch it off, all else on.',
    ),
    secret: false,
    expected: 'true or false',
    read: (input) => (typeof input === 'boolean' ? input : undefined),
    fromText: (value) => !['false', '0', 'off', 'no'].includes(value.trim().toLowerCase()),
  },
  'traces.sample_ratio': decimal({
    default: 1,
    min: 0,
    max: 1,
    summary: documented(
      'Share of the traces begun here that are recorded; a caller that brings a trace has decided already.',
    ),
  }),
  'traces.service_name': text({
    default: 'svc',
    variable: 'OTEL_SERVICE_NAME',
    summary: documented('Name of the service in the traces.'),
  }),
}

/**
 * An address of a collector. An invalid one is reported when the exporter is created; it must not prevent the start.
 */
function address(options: Pick<Setting<string>, 'summary' | 'variable'>): Setting<string> {
  const read = (input: unknown): string | undefined => (typeof input === 'string' ? input.trim() : undefined)
  return { ...options, default: '', secret: false, expected: 'a text', read }
}
