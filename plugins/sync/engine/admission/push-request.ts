/** Steps 5 and 6 of the order of checks: the version, then the shape of a push request. */

import { fromBase64 } from '../../../protocol/codecs.ts'
import { fromKeyId } from '../../../protocol/key-ids.ts'
import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import type { PushRequest } from '../../api.ts'
import { fail } from '../../errors.ts'
import { findMisfit } from './json-schema.ts'
import { pushRequestSchema } from './schemas.ts'

/** A request of the right shape with what its texts stand for. */
export interface ReadPushRequest {
  readonly request: PushRequest
  /** The requestId in lower case. */
  readonly pushId: string
  readonly publicKey: Uint8Array
  readonly signature: Uint8Array
}

/** Throws `unsupported_schema_version`, then `malformed_request` with the place of the first misfit. */
export function readPushRequest(value: unknown, maxHeads: number): ReadPushRequest {
  requireVersion(value)
  const misfit = findMisfit(value, pushRequestSchema)
  if (misfit !== undefined) throw malformed(misfit)
  const request = value as PushRequest
  const heads = request.expectedFrontier?.heads ?? []
  if (heads.length > maxHeads || heads.some((head, i) => i > 0 && heads[i - 1]! >= head))
    throw malformed('/expectedFrontier/heads')
  return {
    request,
    pushId: request.requestId.toLowerCase(),
    publicKey: fromKeyId(request.signerKeyId)!,
    signature: fromBase64(request.signature)!,
  }
}

/** A body of another version hears that before anything about members that its version may well have. */
function requireVersion(value: unknown): void {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'schemaVersion')) return
  const { schemaVersion } = value as { schemaVersion: unknown }
  if (typeof schemaVersion === 'string' && schemaVersion !== PUSH_SCHEMA_VERSION)
    throw fail('unsupported_schema_version', { hint: `send "${PUSH_SCHEMA_VERSION}"` })
}

/** A `malformed_request` that names the place. */
export function malformed(place: string): Error {
  return fail('malformed_request', { message: `A member is unknown, missing or of the wrong form: ${place || '/'}.` })
}
