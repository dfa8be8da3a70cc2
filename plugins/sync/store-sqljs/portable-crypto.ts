/** Ed25519 and SHA-256 in JavaScript, for embedded hosts. */
import { hashes, Point, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { toHex } from '../../protocol/codecs.ts'
import { isAdmissibleSignature } from '../../protocol/ed25519-rule.ts'
import type { Ed25519Verifier, Sha256 } from '../api.ts'

/** The cryptography of an embedded engine. */
export interface PortableCrypto {
  readonly sha256: Sha256
  readonly ed25519: Ed25519Verifier
}

/** Creates both. Hashing in JavaScript is fast enough, because verifying the signature takes most of the time of a push. */
export function createPortableCrypto(): PortableCrypto {
  hashes.sha512 = sha512
  return { sha256: (bytes) => toHex(sha256(bytes)), ed25519: { verify: verifyPortably } }
}

/** The library multiplies by the cofactor. If R is free of torsion too, the equations with and without the cofactor are equivalent. */
function verifyPortably(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (!isAdmissibleSignature(signature)) return false
  try {
    if (!verify(signature, message, publicKey, { zip215: false })) return false
    return Point.fromBytes(signature.subarray(0, 32), false).isTorsionFree()
  } catch {
    return false
  }
}
