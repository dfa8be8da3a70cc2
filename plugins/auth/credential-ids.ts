/** The ids of credentials that come from an API key, and the `jti` of tokens that this service issues. */
import type { Identity } from '../../core/http/identity.ts'

const CREDENTIAL = 'key:'

/** Returns the credential id of an API key and of every token exchanged for it. Revoking the key ends them all. */
export function keyCredentialId(id: string): string {
  return CREDENTIAL + id
}

/** Returns the id of the API key behind a credential, or null if the credential comes from no API key. */
export function readKeyCredential(credential: Identity['credential']): string | null {
  return credential?.id.startsWith(CREDENTIAL) === true ? credential.id.slice(CREDENTIAL.length) : null
}

const OWN = /^svc-(\d{1,13})-[\w-]{22}$/

/** How long the clocks of nodes may differ, in milliseconds. */
const CLOCKS_MS = 3_600_000

/** Makes the id of a token that expires at a time in Unix seconds. `random` has 16 bytes in base64url. */
export function makeTokenId(expSeconds: number, random: string): string {
  return `svc-${expSeconds}-${random}`
}

/**
 * When the revocation of a token may be forgotten, in Unix milliseconds. Infinity for a token of another issuer, and
 * for a user.
 */
export function endOfJti(jti: string | null): number {
  const match = jti === null ? null : OWN.exec(jti)
  return match === null ? Infinity : Number(match[1]) * 1000 + CLOCKS_MS
}
