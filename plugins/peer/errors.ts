/** The codes of the surface between peers. */

import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'
import { malformed_request, transport_forbidden } from '../../core/declare/shared-codes.ts'
import { httpFail } from '../../core/kernel/catalogue.ts'
import {
  content_not_found,
  frontier_unknown,
  project_mismatch,
  push_not_found,
  request_stale,
  scope_not_found,
  signature_invalid,
  signer_unknown,
  target_invalid,
} from '../protocol/shared-codes.ts'

/** An error code of the surface between peers. */
export type PeerCode =
  | 'malformed_request'
  | 'signature_invalid'
  | 'signer_unknown'
  | 'not_listed'
  | 'transport_forbidden'
  | 'scope_not_found'
  | 'peer_not_found'
  | 'push_not_found'
  | 'push_finished'
  | 'content_not_found'
  | 'frontier_unknown'
  | 'project_mismatch'
  | 'unsupported_media_type'
  | 'target_invalid'
  | 'request_stale'
  | 'version_unsupported'
  | 'rate_limited'
  | 'peer_delivery_failed'
  | 'pairing_invalid'
  | 'project_exists'

/** Creates the errors of the surface between peers. */
export const fail: ErrorCatalogue<PeerCode> = defineErrors({
  malformed_request,
  signature_invalid,
  signer_unknown,
  not_listed: { status: 403, message: 'This node is not entered here.' },
  transport_forbidden,
  scope_not_found,
  peer_not_found: { status: 404, message: 'No peer is entered under this id or label.', hint: 'svc peer list' },
  push_not_found,
  push_finished: {
    status: 409,
    message: 'This push has its final acknowledgement.',
    hint: 'Send the push again to read its acknowledgement.',
  },
  content_not_found,
  frontier_unknown,
  project_mismatch,
  unsupported_media_type: httpFail.rows.unsupported_media_type,
  target_invalid,
  request_stale,
  version_unsupported: {
    status: 426,
    message: 'Peers speak version 1 here: Svc-Peer-Version: 1.',
    headers: { upgrade: 'svc-peer/1' },
  },
  rate_limited: httpFail.rows.rate_limited,
  pairing_invalid: {
    status: 403,
    message: 'The pairing code opens nothing here.',
    hint: 'Make a new one on the node that made it: svc peer pair --project <project>',
  },
  project_exists: { status: 409, message: 'This node has a project that the other node could read.' },
  peer_delivery_failed: { status: 502, message: 'The peer could not be asked.' },
})
