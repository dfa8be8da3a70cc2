/**
 * Codes that are in several catalogues. Each is declared once, so that it has the same message everywhere. A catalogue takes the
 * rows that it needs, so that a bundle contains no others.
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

/** Of a signed request. */
export const canonicalization_failed: ErrorRow = {
  status: 400,
  message: 'The body has no canonical form.',
  hint: 'no repeated member, depth up to 16, whole numbers within 2^53 - 1, no negative zero, no lone surrogate',
}
/** Of a signed request. */
export const unsupported_schema_version: ErrorRow = { status: 400, message: 'This schemaVersion is not supported.' }
/** Of a signed request. */
export const signature_invalid: ErrorRow = {
  status: 401,
  message: 'The signature does not fit the canonical form and the signing key.',
  headers: { 'www-authenticate': 'Signature realm="svc"' },
}
/** Of a signed request. */
export const signer_unknown: ErrorRow = {
  status: 403,
  message: 'The signing device is not enrolled.',
  hint: 'svc device enroll',
}
/** Of a signed request. */
export const signer_revoked: ErrorRow = {
  status: 403,
  message: 'The signing device is revoked or its enrolment has expired.',
}
/** Of a signed request. */
export const signer_not_in_scope: ErrorRow = { status: 403, message: 'The signing device is not enrolled for this.' }
/** Of a signed request. */
export const scope_not_found: ErrorRow = { status: 404, message: 'No project has this name.' }
/** Of a signed request. */
export const frontier_mismatch: ErrorRow = { status: 409, message: 'The project is not at the expected frontier.' }
/** Of commands. */
export const project_mismatch: ErrorRow = {
  status: 409,
  message: 'The commands belong to a project with another first command.',
}
/** Of commands. */
export const frontier_unknown: ErrorRow = { status: 409, message: 'A parent of the command is not known here.' }
/** Of commands. */
export const content_not_found: ErrorRow = { status: 404, message: 'No content has this hash here.' }
/** Of a push. */
export const push_not_found: ErrorRow = { status: 404, message: 'No push has this id.' }
/** Of a push. */
export const target_invalid: ErrorRow = {
  status: 422,
  message: 'A target is no endpoint id, or there are too many.',
  hint: 'an endpoint id is an Ed25519 public key in 64 lower-case hex digits',
}
/** Of a signed request. */
export const request_stale: ErrorRow = {
  status: 422,
  message: 'The issuedAtMs is too old.',
}
/** Of a signed request. */
export const request_from_future: ErrorRow = {
  status: 422,
  message: 'The issuedAtMs is in the future.',
}
/** Of a signed request. */
export const authority_unavailable: ErrorRow = {
  status: 503,
  message: 'The device authority cannot be asked now.',
  headers: retrySoon,
}
