/** The `jti` of tokens that this service issues. It has the end of the token, so that its revocation need not be kept for ever. */

const OWN = /^svc-(\d{1,13})-[\w-]{22}$/

/** How long the clocks of nodes may differ, in milliseconds. */
const CLOCKS_MS = 3_600_000

/** Makes the id of a token that expires at a time in Unix seconds. `random` has 16 bytes in base64url. */
export function makeTokenId(expSeconds: number, random: string): string {
  return `svc-${expSeconds}-${random}`
}

/** When the revocation of a token may be forgotten, in Unix milliseconds. Infinity for a token of another issuer, and for a user. */
export function endOfJti(jti: string | null): number {
  const own = jti === null ? null : OWN.exec(jti)
  return own === null ? Infinity : Number(own[1]) * 1000 + CLOCKS_MS
}
