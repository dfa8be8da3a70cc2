/** Ed25519 and SHA-256 without a platform: for embedded hosts. */
import { hashes, Point, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { toHex } from '../../protocol/codecs.ts'
import { isAdmissibleSignature } from '../../protocol/ed25519-rule.ts'
import type { Ed25519Verifier, Sha256 } from '../api.ts'

/** What an embedded engine computes with. */
export interface PortableCrypto {
  readonly sha256: Sha256
  readonly ed25519: Ed25519Verifier
}

/** Both in plain code: what a push costs is its signature, beside which the hashing of its body is small. */
export function createPortableCrypto(): PortableCrypto {
  hashes.sha512 = sha512
  return { sha256: (bytes) => toHex(sha256(bytes)), ed25519: { verify: verifyPortably } }
}

/** The library multiplies by the cofactor; with R free of torsion too, that equation and the one without it are the same. */
function verifyPortably(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (!isAdmissibleSignature(signature)) return false
  try {
    if (!verify(signature, message, publicKey, { zip215: false })) return false
    return Point.fromBytes(signature.subarray(0, 32), false).isTorsionFree()
  } catch {
    return false
  }
}
