const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NOT_A_DIGIT = 255

const VALUES: Uint8Array = new Uint8Array(128).fill(NOT_A_DIGIT)
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value

/**
 * Decodes base64url as RFC 7515 section 2 defines it. Returns null for padding, white space, other characters, and bits
 * that encode nothing but are not zero. So each byte sequence has exactly one text, and a cache with the text as its
 * key cannot be filled with variants of one token.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const rest = text.length % 4
  if (rest === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let pending = 0
  let at = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const value = VALUES[code] ?? NOT_A_DIGIT
    if (value === NOT_A_DIGIT) return null
    bits = ((bits << 6) | value) & 0xffffff
    pending += 6
    if (pending >= 8) {
      pending -= 8
      bytes[at++] = (bits >> pending) & 255
    }
  }
  return (bits & ((1 << pending) - 1)) === 0 ? bytes : null
}

/** Encodes bytes as base64url without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let pending = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffffff
    pending += 8
    while (pending >= 6) {
      pending -= 6
      text += ALPHABET[(bits >> pending) & 63]
    }
  }
  return pending === 0 ? text : text + ALPHABET[(bits << (6 - pending)) & 63]
}
