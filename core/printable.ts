/** Makes untrusted text safe to print on a terminal. */

/**
 * Returns the text as one line without effects on a terminal: control, format, private-use and unassigned characters
 * and line separators are written as `\u{hex}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)
}

/**
 * Characters that JSON may contain unescaped, and that control a terminal or change the direction of the text after
 * them.
 */
const OBEYED = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Returns a value as JSON without effects on a terminal: C1 controls, line separators and characters that change the
 * direction of writing are escaped. Any parser reads the same value.
 */
export function toJsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    OBEYED,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
