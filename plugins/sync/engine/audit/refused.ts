/** Pushes that were refused although their signer was proven: from step 10 of the order of checks on, for the audit chain. */
import { isSvcError } from '../../../../core/errors.ts'
import type { RefusedPush } from '../../api.ts'
import type { SyncCode } from '../../errors.ts'

/** The refusals of those steps. Others say that a body was no push, or that nobody knows whose it was. */
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

/** What is told of the push in a body, signed or unsigned; undefined where its refusal is none to be told. */
export function toRefused(body: Uint8Array, error: unknown): RefusedPush | undefined {
  if (!isSvcError(error) || !PROVEN.has(error.code)) return undefined
  // It was admitted, or it would have been refused before.
  const push = JSON.parse(new TextDecoder().decode(body)) as Readonly<Record<string, string | undefined>>
  const { requestId, domain, signerKeyId } = push
  return {
    pushId: requestId?.toLowerCase() ?? null,
    project: /^kbd-(?:control|content):(.*)$/.exec(domain!)?.[1] ?? null,
    actor: signerKeyId ?? 'owner',
    outcome: error.code,
  }
}
