/** Ed25519 of Node: for the server. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Ed25519Verifier } from '../api.ts'
import { isAdmissibleSignature } from '../engine/ed25519-rule.ts'

/** The fixed head of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410 section 4). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** Importing a key costs three times a verification; an imported one is some 300 bytes. */
const MAX_IMPORTED_KEYS = 4096

/** Verifies through OpenSSL on libuv's threads, so that the loop serves others meanwhile; imported keys are remembered. */
export function createNativeEd25519(): Ed25519Verifier {
  const imported = new Map<string, KeyObject>()
  const importKey = (publicKey: Uint8Array): KeyObject => {
    const id = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.length).toString('latin1')
    let key = imported.get(id)
    if (key === undefined) {
      key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
      if (imported.size >= MAX_IMPORTED_KEYS) imported.delete(imported.keys().next().value!)
      imported.set(id, key)
    }
    return key
  }
  return {
    verify(signature, message, publicKey) {
      if (!isAdmissibleSignature(signature)) return false
      return new Promise((resolve) => {
        try {
          verify(null, message, importKey(publicKey), signature, (error, valid) => resolve(error === null && valid))
        } catch {
          resolve(false)
        }
      })
    },
  }
}
