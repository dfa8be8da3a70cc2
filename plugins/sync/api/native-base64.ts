/** Base64 of Node under the rule of engine/codecs.ts: one text for one value. Texts of boards are long, and kept in it. */

/** Standard base64 with padding. */
export function toNativeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Decodes standard base64, padding right or absent; undefined for anything else, which Node would take. */
export function fromNativeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  const again = bytes.toString('base64')
  const isOne = again === text || (again.endsWith('=') && again.replace(/=+$/, '') === text)
  // No Buffer: a slice of that is no copy.
  return isOne ? new Uint8Array(bytes) : undefined
}
