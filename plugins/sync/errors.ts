/** The error codes of the sync engine, its store and its API, each with its HTTP status. */
import { defineErrors, type ErrorCatalogue, type SvcError } from '../../core/declare/errors.ts'
import {
  credential_missing,
  malformed_json,
  malformed_request,
  payload_too_large,
  transport_forbidden,
} from '../../core/declare/shared-codes.ts'
import {
  authority_unavailable,
  canonicalization_failed,
  frontier_mismatch,
  push_not_found,
  request_from_future,
  request_stale,
  scope_not_found,
  signature_invalid,
  signer_not_in_scope,
  signer_revoked,
  signer_unknown,
  target_invalid,
  unsupported_schema_version,
} from '../protocol/shared-codes.ts'

/** A code of the sync surface. */
export type SyncCode =
  | 'malformed_json'
  | 'malformed_request'
  | 'unsupported_schema_version'
  | 'canonicalization_failed'
  | 'signature_invalid'
  | 'credential_missing'
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
  malformed_json,
  malformed_request,
  unsupported_schema_version,
  canonicalization_failed,
  signature_invalid,
  credential_missing,
  signer_unknown,
  signer_revoked,
  signer_not_in_scope,
  domain_prohibited: { status: 403, message: 'This domain takes no pushes here.' },
  transport_forbidden,
  push_not_found,
  domain_not_found: { status: 404, message: 'No domain family has this name.' },
  scope_not_found,
  request_id_conflict: {
    status: 409,
    message: 'This requestId belongs to another payload.',
    hint: 'a new push needs a new requestId',
  },
  frontier_mismatch,
  payload_too_large,
  target_invalid,
  target_duplicate: { status: 422, message: 'A target endpoint id stands twice.' },
  request_stale,
  request_from_future,
  frontier_not_supported: { status: 422, message: 'This domain takes no expectedFrontier.' },
  receipt_store_unavailable: { status: 503, message: 'The receipt store cannot be used now.' },
  authority_unavailable,
  envelope_preparation_failed: { status: 503, message: 'The push could not be prepared or applied.' },
  transport_unavailable: { status: 503, message: 'No transport to peers is installed.' },
})

/** Makes the errors of invitations. The refusal has no reason, so that nobody learns which part of a code is right. */
export const failInvitation: ErrorCatalogue<'invitation_invalid'> = defineErrors({
  invitation_invalid: {
    status: 403,
    message: 'This code enrols no device with this key.',
    hint: 'it was used, cancelled or expired, or it is not the code; `svc device invite` makes another',
  },
})

/** Most scopes of an invitation. */
export const MAX_INVITED_SCOPES = 64

/** Makes the errors of making an invitation, for the owner of the node. */
export const failInviting: ErrorCatalogue<'invitation_scopes' | 'invitation_limit'> = defineErrors({
  invitation_scopes: { message: `An invitation has at most ${MAX_INVITED_SCOPES} scopes.` },
  invitation_limit: {
    message: 'Too many invitations are open.',
    hint: '`svc device invite --list` names them, `--cancel` ends one',
  },
})

/** The refusal of an unsigned push that does not come over the Unix socket. */
export const unixOnly = (): SvcError =>
  fail('transport_forbidden', { message: 'This route is open on the Unix socket only.' })

/** A code of a store that cannot be opened. No client gets it. */
export type StoreCode =
  | 'store_damaged'
  | 'store_newer'
  | 'store_foreign'
  | 'store_missing'
  | 'store_locked'
  | 'store_replaced'

/** Makes the errors of opening a store. The files were not changed. */
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
  store_locked: {
    message: 'Another service uses this receipt store.',
    hint: 'stop it, or set storage.dir to another folder',
  },
  store_replaced: {
    message: 'The file of the receipt store was replaced, but the log beside it (sync.db-wal) is of the store before.',
    hint: 'nothing was changed; `svc store restore` puts a backup in the place of a store with its log',
  },
})
