/** All revocations that this node has applied, in memory: every request is checked against them. */
import type { Issue, Revocation, RevokedUsers } from '../api.ts'
import { endOfJti } from '../credential-ids.ts'

/** The list. */
export interface RevokedList extends RevokedUsers {
  /** Applies a revocation, or a later change of one. */
  apply(row: Revocation): void
  /** Drops the revocations of tokens that have expired. */
  prune(): void
  /** The tenants in which a user, or one of its tokens, is revoked. */
  tenantsOf(user: string): readonly string[]
  /** At most `limit` revocations of a tenant whose number is below `before`, newest first. */
  page(tenant: string, limit: number, before: number): readonly Revocation[]
}

/** The revocations of one user. */
interface UserRevocations {
  whole: Revocation | undefined
  readonly tokens: Map<string, Revocation>
}

/** The revocations of one tenant. */
interface Tenant {
  readonly users: Map<string, UserRevocations>
  /** Every revocation by {@link keyOf}, in the order of their numbers. */
  readonly rows: Map<string, Revocation>
}

/** Creates the list. `now` returns Unix milliseconds. */
export function createRevokedList(now: () => number): RevokedList {
  const tenants = new Map<string, Tenant>()
  const find = (tenant: string, user: string | undefined): UserRevocations | undefined =>
    user === undefined ? undefined : tenants.get(tenant)?.users.get(user)
  const numberOf = (tenant: string, user: string | undefined): number => find(tenant, user)?.whole?.number ?? 0

  return {
    marks: ({ tenant, user, actor }) => [numberOf(tenant, user), numberOf(tenant, actor)],
    isRevoked: ({ tenant, user, actor }, issue) => {
      const entry = find(tenant, user)
      if (issue.jti !== undefined && entry?.tokens.has(issue.jti) === true) return true
      return isBefore(issue, 0, entry?.whole, now) || isBefore(issue, 1, find(tenant, actor)?.whole, now)
    },
    concerns: ({ tenant, user, actor }) => find(tenant, user) !== undefined || find(tenant, actor) !== undefined,
    revokedAtMs: ({ tenant, user, actor }) => {
      const times = [user, actor].flatMap((one) => find(tenant, one)?.whole?.notBeforeMs ?? [])
      return times.length === 0 ? null : Math.max(...times)
    },
    apply: (row) => {
      const tenant = tenants.get(row.tenant) ?? { users: new Map(), rows: new Map() }
      tenants.set(row.tenant, tenant)
      const key = keyOf(row)
      const oldRow = tenant.rows.get(key)
      if (oldRow !== undefined && !isLater(row, oldRow)) return
      // A renewed revocation is the newest one of the list.
      if (oldRow?.number !== row.number) tenant.rows.delete(key)
      tenant.rows.set(key, row)
      const entry = tenant.users.get(row.user) ?? { whole: undefined, tokens: new Map() }
      tenant.users.set(row.user, entry)
      if (row.jti === null) entry.whole = row
      else entry.tokens.set(row.jti, row)
    },
    prune: () => {
      for (const { users, rows } of tenants.values()) {
        for (const [key, { user, jti }] of rows) {
          if (jti === null || now() < endOfJti(jti)) continue
          rows.delete(key)
          users.get(user)?.tokens.delete(jti)
        }
      }
    },
    tenantsOf: (user) => [...tenants].flatMap(([tenant, { users }]) => (users.has(user) ? tenant : [])),
    page: (tenant, limit, before) => {
      const rows: Revocation[] = []
      for (const row of [...(tenants.get(tenant)?.rows.values() ?? [])].reverse()) {
        if (rows.length === limit) break
        if (row.number < before) rows.push(row)
      }
      return rows
    },
  }
}

/** The key of a revocation among all of them. */
export function keyOf({ tenant, user, jti }: Pick<Revocation, 'tenant' | 'user' | 'jti'>): string {
  return JSON.stringify([tenant, user, jti])
}

function isLater(row: Revocation, oldRow: Revocation): boolean {
  return row.number > oldRow.number || (row.number === oldRow.number && row.change > oldRow.change)
}

/** Whether a credential was issued before a revocation of its user (`which` 0) or of its actor (1). */
function isBefore(issue: Issue, which: 0 | 1, revocation: Revocation | undefined, now: () => number): boolean {
  if (revocation === undefined) return false
  if ('marks' in issue) return issue.marks[which] < revocation.number
  const { iat, leewaySeconds } = issue
  if (iat === undefined) return revocation.liftedAtMs === null
  // The issuer counts in seconds, and its clock may differ by the leeway. A time further ahead says nothing of when the
  // token was issued.
  const lastSecond = Math.floor(revocation.notBeforeMs / 1000) + leewaySeconds
  return Math.floor(iat) <= lastSecond || iat > now() / 1000 + leewaySeconds
}
