/** Base64 of Node under the rule of engine/codecs.ts: one text for one value. Long texts are stored in Base64, so that speed counts. */

/** Standard base64 with padding. */
export function toNativeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Decodes standard base64, padding right or absent; undefined for anything else, which Node would take. */
export function fromNativeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const rest = digits % 4
  if (rest === 1 || (padding > 0 && rest + padding !== 4)) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Node leaves out what is no digit, so that bytes are missing, and takes the digits of base64url too.
  if (bytes.length !== Math.floor((digits * 3) / 4) || text.includes('-') || text.includes('_')) return undefined
  // Of the last digit, what belongs to no byte is zero.
  if (rest > 0 && !bytes.toString('base64', bytes.length - rest + 1).startsWith(text.slice(digits - rest, digits)))
    return undefined
  // No Buffer: a slice of that is no copy.
  return new Uint8Array(bytes)
}
