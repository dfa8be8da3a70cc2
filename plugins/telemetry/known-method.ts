/** Request methods as telemetry names them. */

/** The methods of RFC 9110 section 9 and RFC 5789. */
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
])

/** The method itself, or `_OTHER` for a token that a client invented (OpenTelemetry semantic conventions for HTTP). */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}
