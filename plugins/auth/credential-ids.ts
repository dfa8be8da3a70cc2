/** The ids of credentials that come from an API key. */
import type { Identity } from '../../core/identity.ts'

const CREDENTIAL = 'key:'

/** Returns the credential id of an API key and of every token exchanged for it. Revoking the key ends them all. */
export function keyCredentialId(id: string): string {
  return CREDENTIAL + id
}

/** Returns the id of the API key behind a credential, or null if the credential comes from no API key. */
export function readKeyCredential(credential: Identity['credential']): string | null {
  return credential?.id.startsWith(CREDENTIAL) === true ? credential.id.slice(CREDENTIAL.length) : null
}
