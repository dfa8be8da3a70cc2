/**
 * Public keys of devices and endpoints: which keys are admitted, their text forms (`ed25519:<hex>` for a signing
 * device, the bare hex for an endpoint), and the labels of devices.
 */

import { Point } from '@noble/ed25519'
import { fromHex, toHex } from './codecs.ts'

const PREFIX = 'ed25519:'
const KEY_HEX = /^[0-9a-f]{64}$/

/** The key id of a public key of 32 bytes. */
export function toKeyId(publicKey: Uint8Array): string {
  return PREFIX + toHex(publicKey)
}

/**
 * The public key of a key id. Returns undefined for any other text. Does not check that the key is a point of the
 * curve.
 */
export function fromKeyId(keyId: string): Uint8Array | undefined {
  return keyId.startsWith(PREFIX) ? fromEndpointId(keyId.slice(PREFIX.length)) : undefined
}

/**
 * The public key of an endpoint id. Returns undefined for any other text. Does not check that the key is a point of the
 * curve.
 */
export function fromEndpointId(endpointId: string): Uint8Array | undefined {
  return KEY_HEX.test(endpointId) ? fromHex(endpointId) : undefined
}

/**
 * Whether a key may be enrolled or named as an endpoint: 32 bytes that are the canonical encoding of a point on the
 * curve that is torsion-free and not of small order. Every engine treats such keys in the same way.
 */
export function isAdmissibleKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false
  try {
    const point = Point.fromBytes(publicKey, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
}

/** Most bytes of UTF-8 of a label, at enrolment, import and pairing. */
const MAX_LABEL_BYTES = 256

/** The reason why a text is no label of a device; undefined if it is one. */
export function labelFault(label: string | null): string | undefined {
  const bytes = label === null ? 0 : new TextEncoder().encode(label).length
  return bytes <= MAX_LABEL_BYTES
    ? undefined
    : `A label has at most ${MAX_LABEL_BYTES} bytes of UTF-8; this has ${bytes}.`
}
