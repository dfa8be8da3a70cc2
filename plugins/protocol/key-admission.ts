/**
 * Decides which Ed25519 public keys may be enrolled or named as endpoints: keys that every engine treats in the same
 * way.
 */
import { Point } from '@noble/ed25519'

/** Whether 32 bytes are the canonical encoding of a point on the curve that is torsion-free and not of small order. */
export function isAdmissibleKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false
  try {
    const point = Point.fromBytes(publicKey, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
}
