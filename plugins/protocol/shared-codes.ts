/**
 * Codes of signed requests, pushes and commands that are in the catalogues of several families. Each is declared once,
 * so that it has the same message everywhere.
 */
import type { ErrorRow } from '../../core/declare/errors.ts'
import { retrySoon } from '../../core/declare/shared-codes.ts'

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
