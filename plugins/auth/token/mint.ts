/** Signs tokens, and says what those for development claim. */
import { encodeBase64url } from '../../../core/kernel/base64url.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { HmacKey } from '../crypto/provider.ts'

/** Signs `claims` as a compact JWS with HS256. `header` has further members of the header. */
export function mintToken(
  key: HmacKey,
  header: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, unknown>>,
): Awaitable<string> {
  const input = `${encodeJson({ alg: 'HS256', ...header })}.${encodeJson(claims)}`
  const mac = key.sign(input)
  return mac instanceof Promise ? mac.then((text) => `${input}.${text}`) : `${input}.${mac}`
}

function encodeJson(value: unknown): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(value)))
}

/** Whose token it is. */
export interface DevUser {
  readonly sub: string
  /** The tenant; `default` without it. */
  readonly tenant?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/** The longest life of a token for development, in seconds: nine digits, 31 years. */
export const MAX_TTL_SECONDS = 999_999_999

/** What the settings of the service ask of a token, and its life. */
export interface DevClaimsContext {
  readonly issuer: string | null
  readonly audience: string | null
  readonly tenantClaims: readonly string[]
  readonly nowSeconds: number
  readonly ttlSeconds: number
}

/** Claims that a service with these settings accepts. */
export function devClaims(
  { sub, tenant, scopes }: DevUser,
  context: DevClaimsContext,
): Readonly<Record<string, unknown>> {
  const [tenantClaim = 'tenant_id'] = context.tenantClaims
  return {
    iss: context.issuer ?? undefined,
    aud: context.audience ?? undefined,
    sub,
    [tenantClaim]: tenant,
    scope: scopes?.join(' '),
    iat: context.nowSeconds,
    exp: context.nowSeconds + context.ttlSeconds,
  }
}
