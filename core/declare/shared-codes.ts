/**
 * Codes that are in several catalogues. Each is declared once, so that it has the same message everywhere. A catalogue
 * takes the rows that it needs, so that a bundle contains no others.
 */
import type { ErrorRow } from './errors.ts'

/** The default `retry-after` of temporary errors, in seconds (RFC 9110 section 10.2.3). */
export const retrySoon: NonNullable<ErrorRow['headers']> = { 'retry-after': '1' }

/** Of any request. */
export const malformed_json: ErrorRow = { status: 400, message: 'The body is not one JSON text in UTF-8.' }
/** Of any request. */
export const malformed_request: ErrorRow = { status: 400, message: 'The request is malformed.' }
/** Of any request. A 401 names the way to authenticate (RFC 9110 section 11.6.1). */
export const credential_missing: ErrorRow = {
  status: 401,
  message: 'A credential is required.',
  headers: { 'www-authenticate': 'Bearer realm="svc"' },
}
/** Of any request. */
export const payload_too_large: ErrorRow = { status: 413, message: 'The body is larger than this route takes.' }
/** Of a request on a connection that does not allow it. */
export const transport_forbidden: ErrorRow = {
  status: 403,
  message: 'This listener does not take such a request.',
}
