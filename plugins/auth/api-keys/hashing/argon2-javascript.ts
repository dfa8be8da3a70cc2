/** Argon2id by @noble/hashes, in JavaScript without WebAssembly. */
import { argon2id } from '@noble/hashes/argon2.js'
import type { Argon2 } from './hasher.ts'

/** The encoded form, as the reference implementation of Argon2 writes it. */
const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/

/** Takes some 300 ms at the default cost, five times as long as WebAssembly. */
export const argon2: Argon2 = {
  async hash(text, salt, { memoryKiB: m, iterations: t, parallelism: p }) {
    const hash = argon2id(text, salt, { m, t, p })
    return `$argon2id$v=19$m=${m},t=${t},p=${p}$${toBase64(salt)}$${toBase64(hash)}`
  },
  async verify(text, encoded) {
    const [, m, t, p, salt, hash] = ENCODED.exec(encoded) ?? []
    if (salt === undefined || hash === undefined) throw new Error('no hash of Argon2id')
    const dkLen = Math.floor((hash.length * 3) / 4)
    return toBase64(argon2id(text, fromBase64(salt), { m: Number(m), t: Number(t), p: Number(p), dkLen })) === hash
  },
}

/** Base64 without padding (RFC 4648 section 3.2), as encoded hashes have it. */
function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
