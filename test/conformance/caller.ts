/** Credentials for the callers that cases name. */
import { createHmac } from 'node:crypto'
import type { Caller } from '../../core/contract.ts'

/** The secret that every thing under test is started with. */
export const secret = 'conformance-secret-of-at-least-32-bytes!'

/** An hour: longer than any run, shorter than a limit on streams would notice. */
const LIFETIME_S = 3_600

/** A bearer token for a caller: an HS256 JWT (RFC 7519), made without the code under test. */
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
