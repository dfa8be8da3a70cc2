/** Runs of every tenant, for the owner of the machine. */

import { readText, wrong } from '../../../core/http/query.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import type { Delegation } from '../../auth/api.ts'
import type { RunOwner, RunOwners, RunRecord, Runs, RunsPage } from '../runs/api.ts'
import { cancelRun } from '../runs/cancel-run.ts'
import { readRunsQuery } from '../runs/pages.ts'

/** What the handlers work with. */
export interface RunParts {
  readonly runs: Runs
  readonly userId: Delegation['userId']
  readonly record: Delegation['record']
}

/** A page of the runs of one or of all tenants. @throws SvcError `malformed_request` */
export async function listRuns(request: SvcRequest, parts: RunParts): Promise<RunsPage> {
  const run_id = readText(request, 'run_id')
  const owners = ownersOf(request, parts)
  const query = { ...readRunsQuery(request, false), ...(run_id !== undefined && { run_id }) }
  const page = await parts.runs.page(owners, query)
  parts.record(request.identity, 'Runs are listed.', {
    tenant: owners.tenant_id ?? '*',
    user: owners.user_id ?? '*',
    ...(run_id !== undefined && { run: run_id }),
  })
  return page
}

/** Ends a run of the owner that the query names. @throws SvcError `malformed_request`, `not_found`, `overloaded` */
export async function cancelAnyRun(request: SvcRequest, parts: RunParts): Promise<RunRecord> {
  const { tenant_id, user_id } = ownersOf(request, parts)
  if (tenant_id === undefined) throw wrong('tenant', 'the tenant of the run')
  if (user_id === undefined) throw wrong('user', 'the user who owns the run')
  const owner: RunOwner = { tenant_id, user_id }
  const run_id = pathParam(request, 'run_id')
  const record = await cancelRun(parts.runs, owner, run_id)
  const fields = { tenant: String(tenant_id), user: String(user_id), run: run_id }
  parts.record(request.identity, 'A run is cancelled.', fields)
  return record
}

/** The owners that a query names. Without a tenant, those of all tenants. @throws SvcError `malformed_request` */
function ownersOf(request: SvcRequest, { userId }: RunParts): RunOwners {
  const user = readText(request, 'user')
  const tenant = readText(request, 'tenant')
  if (tenant === '') throw wrong('tenant', 'the name of a tenant')
  return {
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(user !== undefined && { user_id: userId(user, 'user') }),
  }
}
