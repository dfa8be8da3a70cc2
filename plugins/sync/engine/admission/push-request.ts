/** Checks 5 and 6 of the list in submit-push.ts: the version, then the shape of a push request. */

import { fromBase64 } from '../../../protocol/codecs.ts'
import { fromKeyId } from '../../../protocol/keys.ts'
import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import type { PushRequest } from '../../api.ts'
import { fail } from '../../errors.ts'
import { findMisfit } from './json-schema.ts'
import { pushRequestSchema } from './schemas.ts'

/** A request of the right shape, with its decoded members. */
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
  if (heads.length > maxHeads || !isAscending(heads)) throw malformed('/expectedFrontier/heads')
  const publicKey = fromKeyId(request.signerKeyId)
  if (publicKey === undefined) throw malformed('/signerKeyId')
  const signature = fromBase64(request.signature)
  if (signature === undefined) throw malformed('/signature')
  return { request, pushId: request.requestId.toLowerCase(), publicKey, signature }
}

/** Whether texts are sorted, without equal ones. */
function isAscending(texts: readonly string[]): boolean {
  let last = ''
  for (const text of texts) {
    if (text <= last) return false
    last = text
  }
  return true
}

/** Checks the version before the members, because another version may have other members. */
function requireVersion(value: unknown): void {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'schemaVersion')) return
  const { schemaVersion } = value as { schemaVersion: unknown }
  if (typeof schemaVersion === 'string' && schemaVersion !== PUSH_SCHEMA_VERSION)
    throw fail('unsupported_schema_version', { hint: `send "${PUSH_SCHEMA_VERSION}"` })
}

/** A `malformed_request` with the path of the member. */
export function malformed(place: string): Error {
  return fail('malformed_request', { message: `A member is unknown, missing or of the wrong form: ${place || '/'}.` })
}
