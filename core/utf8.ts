/** UTF-8 as it is read from outside. */

/** Refuses bytes that are not UTF-8 by a `TypeError`, and keeps a byte order mark, so that no two inputs give one text. */
export const strictUtf8: TextDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
