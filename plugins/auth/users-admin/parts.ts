/** What the handlers of the owner of the machine work with. */

import { readText, wrong } from '../../../core/http/query.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { ApiKeys, Delegation, KeyOwner, KeyOwners, UserRevocations, UserRuns } from '../api.ts'

/** What the handlers work with. */
export interface UserParts {
  readonly keys: Pick<ApiKeys, 'service' | 'store'>
  readonly delegation: Pick<Delegation, 'userId' | 'record'>
  readonly revocations: UserRevocations
  /** Undefined in a build without runs. */
  readonly runs: UserRuns | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  /** Ends the streams of a key that was erased, and of its tokens. */
  readonly announceErased: (keyId: string) => void
}

/** The owners that the query names. Without a tenant, those of all tenants. @throws SvcError `malformed_request` */
export function ownersOf(request: SvcRequest, { delegation }: Pick<UserParts, 'delegation'>): KeyOwners {
  const [tenant, user] = [readText(request, 'tenant'), readText(request, 'user')]
  if (tenant === '') throw wrong('tenant', 'the name of a tenant')
  return {
    ...(tenant !== undefined && { tenant }),
    ...(user !== undefined && { user: delegation.userId(user, 'user') }),
  }
}

/** The one user that the query names. @throws SvcError `malformed_request` */
export function userOf(request: SvcRequest, parts: Pick<UserParts, 'delegation'>): KeyOwner {
  const { tenant, user } = ownersOf(request, parts)
  if (tenant === undefined) throw wrong('tenant', 'the tenant of the user')
  if (user === undefined) throw wrong('user', 'the id of a user')
  return { tenant, user }
}
