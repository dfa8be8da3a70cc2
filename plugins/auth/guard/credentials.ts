import type { SvcRequest } from '../../../core/http/request.ts'

/** What a request presents. */
export type Presented =
  | { readonly kind: 'token'; readonly text: string }
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'none' }

const NONE: Presented = { kind: 'none' }

/** The scheme with the blanks behind it (RFC 9110 section 11.4); the scheme's case does not matter. */
const BEARER = /^bearer(?: +|$)/i

/** How `Authorization` looks for `token` when it is spelled as in RFC 6750. */
export function toAuthorization(token: string): string {
  return `Bearer ${token}`
}

/**
 * The credential of a request. A bearer token decides alone: a key beside it is not looked at, or a stolen expired
 * token could be tried together with guessed keys. Another scheme is no credential of this service.
 */
export function readCredential(request: SvcRequest, authorization: string | undefined): Presented {
  const scheme = authorization === undefined ? null : BEARER.exec(authorization)
  if (scheme !== null) return { kind: 'token', text: authorization!.slice(scheme[0].length) }
  const key = request.header('x-api-key')
  return key === undefined ? NONE : { kind: 'key', text: key }
}
