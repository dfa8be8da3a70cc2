/** The height of a card, known before it is shown, so that a column needs to hold only the cards that are seen. boards.css has the same numbers. */
import type { Card } from '../state.ts'

/** Pixels of a line of a title. */
const LINE = 20
/** Padding, border and the gap below. */
const FRAME = 20 + 2 + 8
/** The line of labels, and the line of the claim. */
const META = 26
const CLAIM = 26
/** A title is cut after so many lines. */
const MAX_LINES = 3
/** Characters of average width in a line. */
const LINE_CHARS = 34

const known = new WeakMap<Card, number>()

/** Lines of a title: words are put one after another as a browser does, a little more widely. */
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

/** Wide characters count twice. */
function widthOf(word: string): number {
  let width = 0
  for (const char of word) width += char > '\u1100' ? 2 : 1
  return width
}

/** Whether a card has a line of labels, priority and assignee. */
export function hasMeta({ labels, priority, assignee }: Card): boolean {
  return labels.length > 0 || priority !== null || assignee !== null
}

/** Pixels of a card in its column. A claim that ended keeps its line until the card changes. */
export function heightOf(card: Card): number {
  let height = known.get(card)
  if (height === undefined) {
    height = FRAME + linesOf(card.title ?? '') * LINE + (hasMeta(card) ? META : 0) + (card.claim === null ? 0 : CLAIM)
    known.set(card, height)
  }
  return height
}
