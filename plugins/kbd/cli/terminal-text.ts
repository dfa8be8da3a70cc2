/** The width of texts in a terminal, where a character takes no, one or two cells. */

/** The tables that give the width of characters outside of ASCII. */
interface WidthTables {
  readonly segmenter: Intl.Segmenter
  readonly nothing: RegExp
  /**
   * Characters of two cells: those that Unicode Standard Annex 11 calls wide or fullwidth, and emoji. If the table of a
   * terminal differs for a rare character, only the line with this character is moved.
   */
  readonly wide: RegExp
}

let tables: WidthTables | undefined

/**
 * Made for the first such character, because reading the tables of Unicode takes milliseconds, which would slow each
 * start.
 */
function widthTables(): WidthTables {
  tables ??= {
    segmenter: new Intl.Segmenter('en', { granularity: 'grapheme' }),
    nothing: /^[\p{Mn}\p{Me}\u200b-\u200d]+$/u,
    wide: /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u,
  }
  return tables
}

const NARROW = /^[\x20-\x7e]*$/

/** An escape that `printable` writes. */
const ESCAPE = /(\\u\{[\da-f]+\})/

/** The characters of a text (grapheme clusters) and the escapes of `printable`, each with its cells. */
function* pieces(text: string): Generator<readonly [piece: string, width: number]> {
  const { segmenter, nothing, wide } = widthTables()
  for (const part of text.split(ESCAPE)) {
    if (ESCAPE.test(part)) yield [part, part.length]
    else
      for (const { segment } of segmenter.segment(part))
        yield [segment, nothing.test(segment) ? 0 : wide.test(segment) ? 2 : 1]
  }
}

/** The cells that a text of one line takes. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let width = 0
  for (const [, cells] of pieces(text)) width += cells
  return width
}

/** A text in exactly `width` cells: filled with blanks, or cut with an ellipsis at its end. */
export function fit(text: string, width: number): string {
  const textWidth = widthOf(text)
  if (textWidth <= width) return text + ' '.repeat(width - textWidth)
  const [cut, taken] = take(text, width - 1)
  return `${cut}…${' '.repeat(width - 1 - taken)}`
}

/**
 * Breaks a text into at most `lines` lines, at blanks if possible. The last line contains the whole rest, which may be
 * too long.
 */
export function wrap(text: string, width: number, lines: number): readonly string[] {
  const broken: string[] = []
  let rest = text
  while (broken.length < lines - 1 && widthOf(rest) > width) {
    const [whole] = take(rest, width + 1)
    const blank = whole.lastIndexOf(' ')
    const line = blank > 0 ? rest.slice(0, blank) : take(rest, width)[0]
    broken.push(line)
    rest = rest.slice(line.length).trimStart()
  }
  return [...broken, rest]
}

/** The longest beginning of a text that takes at most `width` cells, and the cells that it takes. */
function take(text: string, width: number): readonly [text: string, width: number] {
  let [taken, cells] = ['', 0]
  for (const [piece, pieceWidth] of pieces(text)) {
    if (cells + pieceWidth > width) break
    taken += piece
    cells += pieceWidth
  }
  return [taken, cells]
}
