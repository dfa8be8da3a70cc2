/** Functions for bytes: joining chunks, strict UTF-8, byte order marks. */

/** Joins chunks. A single chunk is returned without a copy. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Throws a `TypeError` for bytes that are not UTF-8, and keeps a byte order mark, so that two inputs never give the
 * same text.
 */
export const strictUtf8: TextDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The message for a JSON text that begins with a byte order mark (RFC 8259 section 8.1); undefined for other bytes. */
export function byteOrderMark(bytes: Uint8Array): { readonly message: string } | undefined {
  const [first, second, third] = bytes
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf
  return hasMark ? { message: 'The body begins with a byte order mark (U+FEFF); send it without one.' } : undefined
}
