/**
 * One rule for all Ed25519 engines (RFC 8032, narrowed so that no two libraries can differ): the key was admitted
 * (keys.ts); S < L; R is canonically encoded and not of small order; and the equation is true without the
 * cofactor. This module has the checks of S and R, which compare bytes.
 */
import { fromHex } from './codecs.ts'

const L = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn
const P = (1n << 255n) - 19n

/** Canonical y coordinates of the eight points of small order; the sign bit is masked off before comparing. */
const SMALL_ORDER_Y: readonly string[] = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]
const SMALL_ORDER: readonly Uint8Array[] = SMALL_ORDER_Y.map((hex) => fromHex(hex)!)
const L_BYTES = toLittleEndian(L)
const P_BYTES = toLittleEndian(P)

/** Whether S and R of a signature follow the rule. The engine checks the equation. */
export function isAdmissibleSignature(signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const r = signature.slice(0, 32)
  r[31]! &= 0x7f
  return isBelow(signature.subarray(32), L_BYTES) && isBelow(r, P_BYTES) && !SMALL_ORDER.some((y) => isEqual(r, y))
}

/** Whether a little-endian number of 32 bytes is smaller than another. */
function isBelow(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 31; i >= 0; i--) if (a[i] !== b[i]) return a[i]! < b[i]!
  return false
}

/** Whether two byte strings are equal. Both are public, so that the comparison need not take constant time. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

function toLittleEndian(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
}
