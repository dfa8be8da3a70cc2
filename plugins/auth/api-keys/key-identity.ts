import type { Identity } from '../../../core/identity.ts'
import type { KeyRecord } from './store/key-store.ts'

const CREDENTIAL = 'key:'

/** Returns the credential id of an API key and of every token exchanged for it. Revoking the key ends them all. */
export function keyCredentialId(id: string): string {
  return CREDENTIAL + id
}

/** Returns the id of the API key behind a credential, or null if the credential comes from no API key. */
export function readKeyCredential(credential: Identity['credential']): string | null {
  return credential?.id.startsWith(CREDENTIAL) === true ? credential.id.slice(CREDENTIAL.length) : null
}

/**
 * Creates the function that returns the identity of a key's record. The owner, scopes and end of a record never change, so
 * one identity per record serves all requests.
 */
export function createKeyIdentities(): (record: KeyRecord) => Identity {
  const identities = new WeakMap<KeyRecord, Identity>()
  return (record) => {
    let identity = identities.get(record)
    if (identity === undefined) identities.set(record, (identity = toIdentity(record)))
    return identity
  }
}

function toIdentity({ id, owner, scopes, expiresAtMs }: KeyRecord): Identity {
  const { user, tenant } = owner
  return { kind: 'user', user, tenant, scopes, credential: { id: keyCredentialId(id), expiresAtMs } }
}
