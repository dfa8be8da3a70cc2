/** The parts of the local sync API that Node supplies. */
import { setImmediate } from 'node:timers/promises'
import type { EndpointKey } from '../api.ts'
import type { SyncPlatform } from '../capabilities.ts'
import { checkEndpointKey, openEndpointKey } from './endpoint-key.ts'
import { createNativeEd25519 } from './native-crypto.ts'
import { settleRotation } from './rotation.ts'

/** Creates the platform of a node whose key is in a folder. */
export function createNodePlatform(dir: string): SyncPlatform {
  let key: EndpointKey | undefined
  return {
    ed25519: createNativeEd25519(),
    ownKey: () => (key ??= openEndpointKey(dir)),
    yieldLoop: () => setImmediate(),
    async start(store) {
      await settleRotation(dir, store)
      checkEndpointKey(dir)
    },
  }
}

/** Standard base64 with padding, by Node, because long texts are stored as base64. */
export function toNativeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Decodes standard base64 with correct padding or none; undefined for anything else, which Node would accept. */
export function fromNativeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const rest = digits % 4
  if (rest === 1 || (padding > 0 && rest + padding !== 4)) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Node skips characters that are no digits, so that bytes are missing, and accepts the digits of base64url.
  if (bytes.length !== Math.floor((digits * 3) / 4) || text.includes('-') || text.includes('_')) return undefined
  // The unused bits of the last digit must be zero.
  if (rest > 0 && !bytes.toString('base64', bytes.length - rest + 1).startsWith(text.slice(digits - rest, digits)))
    return undefined
  // Not a Buffer, because `slice` of a Buffer does not copy.
  return new Uint8Array(bytes)
}
