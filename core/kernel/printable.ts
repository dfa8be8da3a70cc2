/**
 * Makes text safe to show on a terminal, in a page, in JSON or in a log: escapes hidden characters, shortens text, and
 * removes credentials from addresses.
 */

/**
 * Characters that control a terminal, change the direction of the text after them, or are invisible, so that one text
 * could hide inside another. U+200C and U+200D are letters of Persian and Hindi, and join emoji. A selector of a
 * variant (U+FE0F of an emoji, those of Japanese names) counts as hidden only where it selects nothing.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?<![^\s\p{VS}])\p{VS}/gu

/** How a text is shown. */
export interface PrintableOptions {
  /**
   * Largest number of UTF-16 units of the text. A longer text is cut between two characters that people see, and ends
   * with `…`.
   */
  readonly max?: number | undefined
  /** Whether tabs and line ends stay. Otherwise the result is one line. */
  readonly keepsLines?: boolean
}

/**
 * Returns a text without effects on a terminal or a page: hidden characters are written as `\u{hex}`. The terminal and
 * the console show every text of a client by this function.
 */
export function printable(text: string, { max = text.length, keepsLines = false }: PrintableOptions = {}): string {
  const shown = cutText(text, max)
  const escaped = keepsLines ? shown.replace(/[^\t\n\r]+/g, escapeHidden) : escapeHidden(shown)
  return shown === text ? escaped : `${escaped}…`
}

/**
 * Writes hidden characters as `\u{hex}`: the part of `printable` without its options, for the library, whose bytes are
 * counted.
 */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)
}

/** The beginning of a text, of at most `max` UTF-16 units, which ends between two characters that people see. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  // Text after the end decides whether a character goes on. A longer character is cut like any other text.
  const segments = new Intl.Segmenter('en').segment(text.slice(0, max + 64))
  const end = segments.containing(max)?.index ?? 0
  return text.slice(0, end > 0 ? end : max).replace(/[\ud800-\udbff]$/, '')
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

/**
 * Replaces the user name and password of each URL in a text, and its query, where keys of some providers are. Used for
 * everything that is logged or printed: settings, and errors of packages that quote an address. Paths of files
 * (`file:`) stay.
 */
export function withoutCredentials(text: string): string {
  if (!text.includes('://')) return text
  return text.replace(user, '$1[redacted]@').replace(query, '$1?[redacted]')
}

const user = /(\b(?!file:)[a-z][a-z\d+.-]*:\/\/)[^\s/?#'"]*@/gi
const query = /(\b(?!file:)[a-z][a-z\d+.-]*:\/\/[^\s?#'"]*)\?[^\s#'"]+/gi
