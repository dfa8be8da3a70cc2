/** Ed25519 verification in JavaScript, by the rule of ed25519-rule.ts. Runs in browsers and on embedded hosts. */
import { hashes, Point, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { isAdmissibleSignature } from './ed25519-rule.ts'

// The library has no built-in SHA-512, and not every host has WebCrypto. Modules that sign with the library import this
// file, too.
hashes.sha512 = sha512

/**
 * Whether `signature` over `message` was made with `publicKey`, a key that was admitted (keys.ts). Never
 * throws. The library multiplies by the cofactor. If R is torsion-free, too, the equations with and without the
 * cofactor are equivalent.
 */
export function verifySignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (!isAdmissibleSignature(signature)) return false
  try {
    if (!verify(signature, message, publicKey, { zip215: false })) return false
    return Point.fromBytes(signature.subarray(0, 32), false).isTorsionFree()
  } catch {
    return false
  }
}
