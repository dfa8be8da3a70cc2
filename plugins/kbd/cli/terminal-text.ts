/** Texts in the places of a terminal, where a character may take none, one or two. */

/** How many places a character takes that is not a plain letter. */
interface Places {
  readonly segmenter: Intl.Segmenter
  readonly nothing: RegExp
  /**
   * Characters of two places: those that Unicode Standard Annex 11 calls wide or fullwidth, and emoji. What a terminal's own
   * table says differently of an odd one moves that line, and nothing else.
   */
  readonly wide: RegExp
}

let made: Places | undefined

/** Made at the first such character: these read tables of Unicode for milliseconds, which no start of a service should. */
function places(): Places {
  made ??= {
    segmenter: new Intl.Segmenter('en', { granularity: 'grapheme' }),
    nothing: /^[\p{Mn}\p{Me}]+$/u,
    wide: /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u,
  }
  return made
}

const NARROW = /^[\x20-\x7e]*$/

/** What stands together as one character, with its places. */
function* pieces(text: string): Generator<readonly [piece: string, width: number]> {
  const { segmenter, nothing, wide } = places()
  for (const { segment } of segmenter.segment(text))
    yield [segment, nothing.test(segment) ? 0 : wide.test(segment) ? 2 : 1]
}

/** How many places a text of one line takes. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let width = 0
  for (const [, places] of pieces(text)) width += places
  return width
}

/** A text in exactly so many places: filled with blanks, or cut with an ellipsis at its end. */
export function fit(text: string, width: number): string {
  const own = widthOf(text)
  if (own <= width) return text + ' '.repeat(width - own)
  const [cut, taken] = take(text, width - 1)
  return `${cut}…${' '.repeat(width - 1 - taken)}`
}

/** A text over at most so many lines, broken at blanks where it can be; what is left over is cut in the last line. */
export function wrap(text: string, width: number, lines: number): readonly string[] {
  const made: string[] = []
  let rest = text
  while (made.length < lines - 1 && widthOf(rest) > width) {
    const [whole] = take(rest, width + 1)
    const blank = whole.lastIndexOf(' ')
    const line = blank > 0 ? rest.slice(0, blank) : take(rest, width)[0]
    made.push(line)
    rest = rest.slice(line.length).trimStart()
  }
  return [...made, rest]
}

/** The beginning of a text that takes at most so many places, and how many it takes. */
function take(text: string, width: number): readonly [text: string, width: number] {
  let [taken, places] = ['', 0]
  for (const [piece, own] of pieces(text)) {
    if (places + own > width) break
    taken += piece
    places += own
  }
  return [taken, places]
}
