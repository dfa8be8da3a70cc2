/**
 * Records pushes that were refused after their signature was verified: from check 10 of the list in
 * admission/submit-push.ts on.
 */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { RefusedPush } from '../../api.ts'
import type { SyncCode } from '../../errors.ts'

/** The refusals of these checks. With any other refusal the body was not a push, or its signer was not verified. */
const PROVEN: ReadonlySet<string> = new Set<SyncCode>([
  'signer_revoked',
  'request_id_conflict',
  'domain_prohibited',
  'domain_not_found',
  'scope_not_found',
  'signer_not_in_scope',
  'frontier_not_supported',
  'request_stale',
  'request_from_future',
  'target_invalid',
  'target_duplicate',
  'frontier_mismatch',
])

/** The record of a refused push, signed or unsigned; undefined if its refusal is not recorded. */
export function toRefused(body: Uint8Array, error: unknown, user?: string): RefusedPush | undefined {
  if (!isSvcError(error) || !PROVEN.has(error.code)) return undefined
  // The body was admitted; otherwise it would have been refused with another code.
  const push = JSON.parse(new TextDecoder().decode(body)) as Readonly<Record<string, string | undefined>>
  const { requestId, domain = '', signerKeyId } = push
  return {
    pushId: requestId?.toLowerCase() ?? null,
    project: /^kbd-(?:control|content):(.*)$/.exec(domain)?.[1] ?? null,
    actor: signerKeyId ?? 'owner',
    outcome: error.code,
    ...(user !== undefined && { user }),
  }
}
