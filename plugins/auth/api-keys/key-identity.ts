import type { Identity } from '../../../core/http/identity.ts'
import { keyCredentialId } from '../credential-ids.ts'
import { type KeyRecord, subjectOf } from './store/key-store.ts'

/**
 * Creates the function that returns the identity of a key's record. The owner and scopes of a record never change, so
 * one identity per record serves all requests. `watch` is called with each new identity.
 */
export function createKeyIdentities(
  watch: (identity: Identity, record: KeyRecord) => void,
): (record: KeyRecord) => Identity {
  const identities = new WeakMap<KeyRecord, Identity>()
  return (record) => {
    let identity = identities.get(record)
    if (identity === undefined) {
      identities.set(record, (identity = toKeyIdentity(record)))
      watch(identity, record)
    }
    return identity
  }
}

/** The identity of who uses a key. */
export function toKeyIdentity(record: KeyRecord): Identity {
  const { id, scopes } = record
  const credential = {
    ...{ id: keyCredentialId(id), keyId: id },
    // A key that is replaced ends earlier, and so do the streams that were opened with it before.
    get expiresAtMs() {
      return record.expiresAtMs
    },
  }
  return { kind: 'user', ...subjectOf(record), scopes, credential }
}
