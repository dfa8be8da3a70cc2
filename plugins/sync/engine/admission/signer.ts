/** Checks 8, 10 and 13 of the list in submit-push.ts: the signer is enrolled, is active, and may push the domain. */
import { allows } from '../../../protocol/scopes.ts'
import type { Authority, DomainFamily, SigningDevice } from '../../api.ts'
import { fail } from '../../errors.ts'

/** The device of a key. Rejects with `authority_unavailable` or `signer_unknown`. */
export async function findSigner(authority: Authority, keyId: string): Promise<SigningDevice> {
  let device: SigningDevice | undefined
  try {
    device = await authority.device(keyId)
  } catch (cause) {
    throw fail('authority_unavailable', { cause })
  }
  if (device === undefined) throw fail('signer_unknown')
  return device
}

/** Throws `signer_revoked` for a device that is revoked or expired. */
export function requireActive({ status, expiresAtMs }: SigningDevice, nowMs: number): void {
  if (status !== 'active' || (expiresAtMs !== null && nowMs >= expiresAtMs)) throw fail('signer_revoked')
}

/** Throws `signer_not_in_scope` if no scope of a device covers a project. */
export function requireScope({ scopes }: SigningDevice, family: DomainFamily, project: string): void {
  if (!allows(scopes, family.name, project, 'push')) throw fail('signer_not_in_scope')
}
