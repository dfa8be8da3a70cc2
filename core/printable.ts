/** Makes untrusted text safe to print on a terminal. */

/**
 * Returns the text as one line that a terminal shows and does not obey: control, format, private-use and unassigned
 * characters and line separators are written as `\u{hex}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)
}
