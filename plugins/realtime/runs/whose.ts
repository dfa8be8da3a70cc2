/** Whose runs a request means: those of its caller or, by `?user=`, those of another user of the same tenant. */

import { readText } from '../../../core/http/query.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Delegation, ReservedScope } from '../../auth/api.ts'
import type { RunOwner, RunOwners } from './api.ts'

/** What a caller may do to runs of others. */
type RunScope = Extract<ReservedScope, `svc:runs:${string}`>

/** Reads `?user=` of requests. */
export interface Whose {
  /**
   * The owner of the run that a request means.
   * @throws SvcError `malformed_request`, or `forbidden` without the scope, whether the named user exists or not
   */
  owner(request: SvcRequest, scope: RunScope): RunOwner
  /** The owners whose runs a list has; `*` names all of the tenant. @throws SvcError as `owner` */
  owners(request: SvcRequest): RunOwners
  /** Logs what a caller has done to the run of another user. Nothing is logged of its own runs. */
  record(request: SvcRequest, message: string, owners: RunOwners, run?: string): void
}

/** Creates the reader. In a build without `Delegation` nobody may name others. */
export function createWhose(delegation: Delegation | undefined): Whose {
  const demand = (request: SvcRequest, scope: RunScope): void => {
    if (delegation === undefined) throw httpFail('forbidden')
    delegation.demand(request.identity, scope)
  }
  const owner: Whose['owner'] = (request, scope) => {
    const { user, tenant } = request.identity
    const named = readText(request, 'user')
    if (named === undefined || named === user) return { user_id: user, tenant_id: tenant }
    const user_id = delegation === undefined ? named : delegation.userId(named, 'user')
    demand(request, scope)
    return { user_id, tenant_id: tenant }
  }
  return {
    owner,
    owners: (request) => {
      if (readText(request, 'user') !== '*') return owner(request, 'svc:runs:read')
      demand(request, 'svc:runs:read')
      return { tenant_id: request.identity.tenant }
    },
    record: ({ identity }, message, { user_id, tenant_id }, run) => {
      // A caller without a tenant is anonymous, and names nobody else.
      if (user_id === identity.user || typeof tenant_id !== 'string') return
      const fields = { tenant: tenant_id, user: user_id ?? '*', ...(run !== undefined && { run }) }
      delegation?.record(identity, message, fields)
    },
  }
}
