/** Ed25519 and SHA-256 in JavaScript, for embedded hosts. */
import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../protocol/codecs.ts'
import { verifySignature } from '../../protocol/verify-signature.ts'
import type { Ed25519Verifier, Sha256 } from '../api.ts'

/** The cryptography of an embedded engine. */
export interface PortableCrypto {
  readonly sha256: Sha256
  readonly ed25519: Ed25519Verifier
}

/** Creates both. Hashing in JavaScript is fast enough, because verifying the signature takes most of the time of a push. */
export function createPortableCrypto(): PortableCrypto {
  return { sha256: (bytes) => toHex(sha256(bytes)), ed25519: { verify: verifySignature } }
}
