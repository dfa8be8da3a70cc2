/** Users of every tenant, for the owner of the machine. */
import { readText, wrong } from '../../../core/http/query.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { allKeys } from '../api-keys/managing/key-page.ts'
import { isReason, MAX_REASON, toView } from '../revocations/requests.ts'
import { type UserParts, userOf } from './parts.ts'

/** The tenants that have a user, in order. @throws SvcError `malformed_request`, `overloaded` */
export async function tenantsOf(
  request: SvcRequest,
  { keys, delegation, revocations, runs }: UserParts,
): Promise<{ readonly tenants: readonly string[] }> {
  const user = delegation.userId(readText(request, 'user'), 'user')
  const withKeys = (await keys.store.all?.tenantsOf(user)) ?? []
  const page = await runs?.page({ user_id: user }, {})
  const withRuns = page?.runs.flatMap(({ owner: { tenant_id } }) => tenant_id ?? []) ?? []
  return { tenants: [...new Set([...withKeys, ...withRuns, ...revocations.tenantsOf(user)])].sort() }
}

/** Revokes a user. @throws SvcError `malformed_request`, `overloaded` */
export async function revokeUser(request: SvcRequest, parts: UserParts): Promise<object> {
  const { delegation, revocations } = parts
  const subject = userOf(request, parts)
  const reason = readText(request, 'reason') ?? null
  if (!isReason(reason)) throw wrong('reason', `a text of 1 to ${MAX_REASON} characters`)
  const row = await revocations.revoke({ ...subject, jti: null, reason, endMs: Infinity })
  delegation.record(request.identity, 'A user is revoked.', { ...subject, ...(reason !== null && { reason }) })
  return { ...toView(row), ...(!revocations.durable && { durable: false }) }
}

/** Lifts the revocation of a user. @throws SvcError `malformed_request`, `not_found`, `overloaded` */
export async function restoreUser(request: SvcRequest, parts: UserParts): Promise<object> {
  const subject = userOf(request, parts)
  const row = await parts.revocations.lift(subject)
  parts.delegation.record(request.identity, 'The revocation of a user is lifted.', { ...subject })
  return { ...toView(row), lifted_at_ms: row.liftedAtMs }
}

/** What was erased: how many keys, runs, and reasons of revocations. */
export interface Erased {
  readonly tenant_id: string
  readonly user_id: string
  readonly keys: number
  readonly runs: number
  readonly reasons: number
}

/**
 * Erases what this service keeps of a user. If something fails, what is left is erased by another call.
 * @throws SvcError `malformed_request`, `not_found` if the key store cannot erase, `overloaded`
 */
export async function eraseUser(request: SvcRequest, parts: UserParts): Promise<Erased> {
  const { delegation, revocations, runs, now, announceErased } = parts
  const { tenant, user } = userOf(request, parts)
  // Keys first: with them the user could make further runs.
  const ids = await allKeys(parts.keys.store).erase({ tenant, user }, now())
  for (const id of ids) announceErased(id)
  const erased = {
    keys: ids.length,
    runs: (await runs?.erase({ tenant_id: tenant, user_id: user })) ?? 0,
    reasons: await revocations.eraseReasons({ tenant, user }),
  }
  delegation.record(request.identity, 'A user is erased.', { tenant, user, ...erased })
  return { tenant_id: tenant, user_id: user, ...erased }
}
