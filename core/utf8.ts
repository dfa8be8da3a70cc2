/** Decodes UTF-8 of clients. */

/**
 * Throws a `TypeError` for bytes that are not UTF-8, and keeps a byte order mark, so that two inputs never give the
 * same text.
 */
export const strictUtf8: TextDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
