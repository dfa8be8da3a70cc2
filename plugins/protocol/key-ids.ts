/** The text forms of keys: `ed25519:<hex>` for a signing device, the bare hex for an endpoint. */
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
