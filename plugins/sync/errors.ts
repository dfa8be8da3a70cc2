/** Every code that the sync engine, its store and its API give, with the status that carries it. */
import { defineErrors, type ErrorCatalogue } from '../../core/errors.ts'

/** A code of the sync surface. */
export type SyncCode =
  | 'malformed_json'
  | 'malformed_request'
  | 'unsupported_schema_version'
  | 'canonicalization_failed'
  | 'signature_invalid'
  | 'credential_missing'
  | 'credential_invalid'
  | 'signer_unknown'
  | 'signer_revoked'
  | 'signer_not_in_scope'
  | 'domain_prohibited'
  | 'transport_forbidden'
  | 'push_not_found'
  | 'domain_not_found'
  | 'scope_not_found'
  | 'request_id_conflict'
  | 'frontier_mismatch'
  | 'payload_too_large'
  | 'target_invalid'
  | 'target_duplicate'
  | 'request_stale'
  | 'request_from_future'
  | 'frontier_not_supported'
  | 'receipt_store_unavailable'
  | 'authority_unavailable'
  | 'envelope_preparation_failed'
  | 'transport_unavailable'

/** Makes the errors of the sync surface: `throw fail('push_not_found')`. */
export const fail: ErrorCatalogue<SyncCode> = defineErrors({
  malformed_json: { status: 400, message: 'The body is not one JSON text in UTF-8 without a byte order mark.' },
  malformed_request: { status: 400, message: 'A member is unknown, missing or of the wrong form.' },
  unsupported_schema_version: { status: 400, message: 'This schemaVersion is not supported.', hint: 'send "1.7"' },
  canonicalization_failed: {
    status: 400,
    message: 'The body has no canonical form.',
    hint: 'no repeated member, depth up to 16, whole numbers within 2^53 - 1, no negative zero, no lone surrogate',
  },
  signature_invalid: { status: 401, message: 'The signature does not fit the canonical form and the signing key.' },
  credential_missing: { status: 401, message: 'A credential is needed here.' },
  credential_invalid: { status: 401, message: 'The credential is not the one of the token file.' },
  signer_unknown: { status: 403, message: 'The signing device is not enrolled.', hint: 'svc device enroll' },
  signer_revoked: { status: 403, message: 'The signing device is revoked or its enrolment has expired.' },
  signer_not_in_scope: { status: 403, message: 'The signing device is not enrolled for this domain.' },
  domain_prohibited: { status: 403, message: 'This domain takes no pushes here.' },
  transport_forbidden: { status: 403, message: 'This route is open on the Unix socket only.' },
  push_not_found: { status: 404, message: 'No push has this id.' },
  domain_not_found: { status: 404, message: 'No domain family has this name.' },
  scope_not_found: { status: 404, message: 'No project has this name.' },
  request_id_conflict: {
    status: 409,
    message: 'This requestId belongs to another payload.',
    hint: 'a new push needs a new requestId',
  },
  frontier_mismatch: { status: 409, message: 'The project is not at the expected frontier.' },
  payload_too_large: { status: 413, message: 'The body is larger than this route takes.' },
  target_invalid: {
    status: 422,
    message: 'A target is no endpoint id, or there are too many.',
    hint: 'an endpoint id is an Ed25519 public key in 64 lower-case hex digits',
  },
  target_duplicate: { status: 422, message: 'A target endpoint id stands twice.' },
  request_stale: { status: 422, message: 'IssuedAtMs is too old.', hint: 'sign again with the present time' },
  request_from_future: {
    status: 422,
    message: 'IssuedAtMs lies in the future.',
    hint: 'check the clock of the signer',
  },
  frontier_not_supported: { status: 422, message: 'This domain takes no expectedFrontier.' },
  receipt_store_unavailable: { status: 503, message: 'The receipt store cannot be used now.' },
  authority_unavailable: { status: 503, message: 'The device authority cannot be asked now.' },
  envelope_preparation_failed: { status: 503, message: 'The push could not be prepared or applied.' },
  transport_unavailable: { status: 503, message: 'No transport to peers is installed.' },
})

/** A code that stops the opening of a store; it never reaches a client. */
export type StoreCode = 'store_damaged' | 'store_newer' | 'store_foreign' | 'store_missing'

/** Makes the errors of opening a store file: what was found is left as it was. */
export const failStore: ErrorCatalogue<StoreCode> = defineErrors({
  store_damaged: {
    message: 'The receipt store is damaged.',
    hint: 'nothing was changed; `svc store restore` a backup',
  },
  store_newer: {
    message: 'The receipt store was written by a newer version.',
    hint: 'nothing was changed; upgrade svc',
  },
  store_foreign: { message: 'The file is a database of another program.', hint: 'nothing was changed; check the path' },
  store_missing: {
    message: 'A receipt store was here, and its file is gone or empty.',
    hint: 'nothing was changed; put sync.db back, or `svc store restore` a backup; to begin anew, remove sync.db*',
  },
})
