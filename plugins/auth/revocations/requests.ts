/** Reads requests about revocations. */

import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { Delegation, Revocation, RevocationDraft } from '../api.ts'
import { endOfJti } from '../credential-ids.ts'

/** Most characters of a reason. */
export const MAX_REASON = 256

/** Most bytes of the id of a token. */
const MAX_JTI_BYTES = 256

/** Most revocations in an answer, and how many without `limit`. */
const MAX_PAGE = 1_000
const DEFAULT_PAGE = 100

/**
 * Reads `{user_id, jti?, reason?}`.
 * @throws SvcError `malformed_request` that names every wrong member
 */
export function readRevocation(body: unknown, tenant: string, readUser: Delegation['userId']): RevocationDraft {
  const {
    user_id,
    jti = null,
    reason = null,
    ...others
  } = isObject(body) ? body : ({ body } as Record<string, unknown>)
  const problems = [
    ...(Object.keys(others).length > 0 ? ['expected no members but user_id, jti, reason'] : []),
    ...(isText(jti, MAX_JTI_BYTES) ? [] : [`jti: expected a text of 1 to ${MAX_JTI_BYTES} bytes`]),
    ...(isReason(reason) ? [] : [`reason: expected a text of 1 to ${MAX_REASON} characters`]),
  ]
  if (problems.length > 0)
    throw httpFail('malformed_request', {
      message: `The body does not have the expected shape. ${problems.join('; ')}`,
    })
  const token = jti as string | null
  const user = readUser(user_id, 'user_id')
  return { tenant, user, jti: token, reason: reason as string | null, endMs: endOfJti(token) }
}

/** Whether a value may be the reason of a revocation, which may also be null. */
export function isReason(value: unknown): boolean {
  return isText(value, 4 * MAX_REASON) && [...String(value ?? '')].length <= MAX_REASON
}

/** Whether a value is null or a text that has UTF-8, and a byte at least. */
function isText(value: unknown, maxBytes: number): boolean {
  if (value === null) return true
  if (typeof value !== 'string' || value === '' || value.length > maxBytes || /\p{Cs}/u.test(value)) return false
  return new TextEncoder().encode(value).length <= maxBytes
}

/**
 * Reads `limit` and `before` of a list.
 * @throws SvcError `malformed_request`
 */
export function readPage({ query }: SvcRequest): { readonly limit: number; readonly before: number } {
  const parameters = new URLSearchParams(query)
  const read = (name: string, fallback: number, max: number): number => {
    const [text, ...others] = parameters.getAll(name)
    if (text === undefined) return fallback
    const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
    if (others.length === 0 && number >= 1 && number <= max) return number
    throw httpFail('malformed_request', { message: `${name}: expected a whole number from 1 to ${max}, once` })
  }
  return {
    limit: read('limit', DEFAULT_PAGE, MAX_PAGE),
    before: read('before', Infinity, Number.MAX_SAFE_INTEGER),
  }
}

/** A revocation as clients see it. */
export function toView(row: Revocation): Readonly<Record<string, unknown>> {
  return {
    user_id: row.user,
    tenant_id: row.tenant,
    ...(row.jti !== null && { jti: row.jti }),
    not_before_ms: row.notBeforeMs,
    reason: row.reason,
  }
}
