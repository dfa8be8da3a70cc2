/** The tenant of a user whose tenant a command does not name. */
import { type CommandIo, UsageError } from '../../../../core/command.ts'
import { printable } from '../../../../core/printable.ts'
import { queryOf } from '../../../../core/query-of.ts'
import type {} from '../../../sync/capabilities.ts'

/** The tenant of callers whose credential names none. */
const DEFAULT_TENANT = 'default'

/** The one tenant that has a user; `default` if none has it. Throws `UsageError` if several have it. */
export async function tenantOf(io: CommandIo, user: string): Promise<string> {
  const path = `/api/v1/admin/tenants${queryOf({ user })}`
  const { tenants } = await io.use('LocalService')().get<{ readonly tenants: readonly string[] }>(path)
  if (tenants.length > 1)
    throw new UsageError(`several tenants have this user, name one with --tenant: ${printable(tenants.join(', '))}`)
  return tenants[0] ?? DEFAULT_TENANT
}
