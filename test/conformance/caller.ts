/** Creates credentials for the callers of the conformance cases. */
import { createHmac } from 'node:crypto'
import type { Caller } from '../../core/testing/contract.ts'
import { CONTRACT_SECRET } from '../../plugins/auth/contract-tokens.ts'

/** The JWT secret of every target. */
export const secret: string = CONTRACT_SECRET

/** One hour: longer than every run, and short enough to stay below limits on the lifetime of streams. */
const LIFETIME_S = 3_600

/** Creates a bearer token for a caller: an HS256 JWT (RFC 7519), signed without the code under test. */
export function tokenFor(caller: Caller): string {
  const claims = {
    sub: caller.user,
    exp: Math.floor(Date.now() / 1_000) + LIFETIME_S,
    ...(caller.tenant === undefined ? {} : { tenant_id: caller.tenant }),
    ...(caller.scopes === undefined ? {} : { scope: caller.scopes.join(' ') }),
  }
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
