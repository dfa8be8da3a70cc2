/** Texts of others in a terminal. */

/** A text as one line that a terminal takes for text: characters that steer it, or are not seen, by their numbers. */
export function shown(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)
}
