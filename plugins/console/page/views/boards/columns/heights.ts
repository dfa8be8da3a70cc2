/**
 * Computes the height of a card before it is shown, so that a column has only visible cards in the document. card.css
 * has the same numbers.
 */
import type { Card } from '../state.ts'

/** Height of a line of a title, in pixels. */
const LINE = 20
/** Height of the padding, the borders and the gap below, in pixels. */
const FRAME = 20 + 2 + 8
/** Heights of the line of labels and of the line of the claim, in pixels. */
const META = 26
const CLAIM = 26
/** Largest number of lines of a title. */
const MAX_LINES = 3
/** Number of characters of average width in a line. */
const LINE_CHARS = 34

const heights = new WeakMap<Card, number>()

/** Number of lines of a title. Words are wrapped as in a browser, with slightly wider characters. */
export function linesOf(title: string): number {
  let [lines, used] = [1, 0]
  for (const word of title.slice(0, MAX_LINES * LINE_CHARS + 1).split(' ')) {
    let width = widthOf(word)
    if (used > 0 && used + width > LINE_CHARS) [lines, used] = [lines + 1, 0]
    for (; width > LINE_CHARS; width -= LINE_CHARS) lines++
    used += width + 1
  }
  return Math.min(MAX_LINES, lines)
}

/** The width of a word in characters. Wide characters count twice. */
function widthOf(word: string): number {
  let width = 0
  for (const char of word) width += char > '\u1100' ? 2 : 1
  return width
}

/** Whether a card has a line of labels, priority and assignee. */
export function hasMeta({ labels, priority, assignee }: Card): boolean {
  return labels.length > 0 || priority !== null || assignee !== null
}

/** The height of a card in its column, in pixels. A claim that has ended keeps its line until the card changes. */
export function heightOf(card: Card): number {
  let height = heights.get(card)
  if (height === undefined) {
    height = FRAME + linesOf(card.title ?? '') * LINE + (hasMeta(card) ? META : 0) + (card.claim === null ? 0 : CLAIM)
    heights.set(card, height)
  }
  return height
}
