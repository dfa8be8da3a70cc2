/** Which Ed25519 public keys may be enrolled or named as endpoints: those on which every engine agrees. */
import { Point } from '@noble/ed25519'

/** Whether 32 bytes are a canonical encoding of a point on the curve, not of small order and without a torsion part. */
export function isAdmissibleKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false
  try {
    const point = Point.fromBytes(publicKey, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
}
