/** The request methods in telemetry. */

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

/** Returns a standard method unchanged, and `_OTHER` for all others (OpenTelemetry semantic conventions for HTTP). */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}
