/** Strict text codecs of base64 and lower-case hex. */

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE64_VALUES = Int8Array.from({ length: 128 }, (_, code) => BASE64.indexOf(String.fromCharCode(code)))
const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Decodes standard base64 (RFC 4648 section 4): strict alphabet, padding right or absent, trailing bits zero.
 * Returns undefined for any other text.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  let end = text.length
  if (end % 4 === 0 && end > 0 && text[end - 1] === '=') end -= text[end - 2] === '=' ? 2 : 1
  if (end % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((end * 3) / 4))
  let bits = 0
  let buffer = 0
  let at = 0
  for (let i = 0; i < end; i++) {
    const value = BASE64_VALUES[text.charCodeAt(i)] ?? -1
    if (value < 0) return undefined
    buffer = ((buffer << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = buffer >> bits
    }
  }
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : undefined
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const remaining = bytes.length - i
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += BASE64.charAt(group >> 18) + BASE64.charAt((group >> 12) & 63)
    text += (remaining > 1 ? BASE64.charAt((group >> 6) & 63) : '=') + (remaining > 2 ? BASE64.charAt(group & 63) : '=')
  }
  return text
}

/** Decodes lower-case hex. Returns undefined for an odd length, an upper-case digit or any other character. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digitAt(text, 2 * i) << 4) | digitAt(text, 2 * i + 1)
  return bytes
}

/** The value of a lower-case hex digit. Its caller has checked the character. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : code - 87
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX_PAIRS[byte]!
  return text
}
