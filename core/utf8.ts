/** Decodes UTF-8 of clients. */

/**
 * Throws a `TypeError` for bytes that are not UTF-8, and keeps a byte order mark, so that two inputs never give the
 * same text.
 */
export const strictUtf8: TextDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The message for a JSON text that begins with a byte order mark (RFC 8259 section 8.1); undefined for other bytes. */
export function byteOrderMark(bytes: Uint8Array): { readonly message: string } | undefined {
  const [first, second, third] = bytes
  const found = first === 0xef && second === 0xbb && third === 0xbf
  return found ? { message: 'The body begins with a byte order mark (U+FEFF); send it without one.' } : undefined
}
