/** All error codes of boards, each with its status. The codes of pushes that a command can get are included. */
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'
import { malformed_request, payload_too_large } from '../../core/declare/shared-codes.ts'
import {
  authority_unavailable,
  content_not_found,
  frontier_mismatch,
  frontier_unknown,
  project_mismatch,
  request_from_future,
  request_stale,
  scope_not_found,
  signature_invalid,
  signer_not_in_scope,
  signer_revoked,
  signer_unknown,
  unsupported_schema_version,
} from '../protocol/shared-codes.ts'

/** A code of boards. */
export type KbdCode =
  | 'payload_too_large'
  | 'malformed_request'
  | 'unsupported_schema_version'
  | 'signature_invalid'
  | 'signer_unknown'
  | 'signer_revoked'
  | 'signer_not_in_scope'
  | 'authority_unavailable'
  | 'scope_not_found'
  | 'project_not_found'
  | 'project_mismatch'
  | 'project_full'
  | 'request_stale'
  | 'request_from_future'
  | 'command_invalid'
  | 'command_id_conflict'
  | 'frontier_mismatch'
  | 'frontier_unknown'
  | 'frontier_too_old'
  | 'frontier_too_wide'
  | 'device_behind'
  | 'entity_not_found'
  | 'entity_exists'
  | 'conflict_not_found'
  | 'conflict_stale'
  | 'claim_held'
  | 'claim_not_held'
  | 'claim_limit'
  | 'content_not_found'
  | 'content_mismatch'
  | 'content_full'
  | 'search_query_invalid'

/** Makes the errors of boards: `throw fail('entity_not_found')`. */
export const fail: ErrorCatalogue<KbdCode> = defineErrors({
  payload_too_large,
  malformed_request,
  unsupported_schema_version,
  signature_invalid,
  signer_unknown,
  signer_revoked,
  signer_not_in_scope,
  authority_unavailable,
  scope_not_found,
  project_not_found: { status: 404, message: 'No project has this name.' },
  project_mismatch,
  project_full: { status: 409, message: 'The project has reached its limit of commands.' },
  request_stale,
  request_from_future,
  command_invalid: { status: 422, message: 'A member of the command is unknown, missing or not allowed.' },
  command_id_conflict: {
    status: 409,
    message: 'This commandId belongs to another command.',
    hint: 'a new command needs a new commandId',
  },
  frontier_mismatch,
  frontier_unknown,
  frontier_too_old: { status: 422, message: 'The parents are too far behind the project.', hint: 'read the project' },
  frontier_too_wide: {
    status: 409,
    message: 'The project has more heads than a command can name.',
    hint: 'send a command with "concurrency":"merge" that names up to 64 of them',
  },
  device_behind: {
    status: 409,
    message: 'The device has too many branches.',
    hint: 'name the latest commands of the device as parents',
  },
  entity_not_found: { status: 404, message: 'Nothing with this id was created in the past of the parents.' },
  entity_exists: { status: 409, message: 'The id is in use.' },
  conflict_not_found: { status: 404, message: 'No such conflict is open.' },
  conflict_stale: { status: 409, message: 'The parents have not seen every candidate of the conflict.' },
  claim_held: { status: 409, message: 'The card is claimed.' },
  claim_not_held: { status: 409, message: 'The device does not hold this claim.' },
  claim_limit: { status: 409, message: 'The device has reached its limit of claims.' },
  content_not_found,
  content_mismatch: { status: 422, message: 'The content has another hash.' },
  content_full: {
    status: 429,
    message: 'Too much content waits for a command that names it.',
    headers: { 'retry-after': '60' },
  },
  search_query_invalid: { status: 422, message: 'A search needs a text of 1 to 1024 bytes.', hint: '?q=some+words' },
})

/**
 * A `command_invalid` that names the member by a JSON Pointer (RFC 6901) from the envelope. `index` is the index of the
 * command in its set, if the command is part of a set; `message` says what the member may be.
 */
export function invalid(
  member: string,
  { index, message }: { readonly index?: number; readonly message?: string | undefined } = {},
): Error {
  return fail('command_invalid', {
    details: { member, ...(index !== undefined && { index }) },
    ...(message !== undefined && { message }),
  })
}
