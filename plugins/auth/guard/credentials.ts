import type { SvcRequest } from '../../../core/http/request.ts'

/** The credential of a request. */
export type Presented =
  | { readonly kind: 'token'; readonly text: string }
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'none' }

const NONE: Presented = { kind: 'none' }

/** The scheme, in any case, and the blanks after it (RFC 9110 section 11.4). */
const BEARER = /^bearer(?: +|$)/i

/** Returns the `Authorization` header for `token` in the spelling of RFC 6750. */
export function toAuthorization(token: string): string {
  return `Bearer ${token}`
}

/**
 * Returns the credential of a request. A bearer token excludes an API key in the same request; otherwise an expired
 * stolen token could be combined with guessed keys. Other schemes count as no credential.
 */
export function readCredential(request: SvcRequest, authorization: string | undefined): Presented {
  if (authorization !== undefined) {
    const scheme = BEARER.exec(authorization)
    if (scheme !== null) return { kind: 'token', text: authorization.slice(scheme[0].length) }
  }
  const key = request.header('x-api-key')
  return key === undefined ? NONE : { kind: 'key', text: key }
}
