/** Decides which items of a timeline are in the document. */

/** The items from index `from` to index `to`, exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Largest number of items that one frame adds. A hundred items take too long for one frame. */
export const NEW_IN_A_FRAME = 12

/** No items. */
export const NOTHING: Range = { from: 0, to: 0 }

/**
 * The range to draw after the range `drawn`, for a timeline of `length` items. In the end it has the newest `shown`
 * items. Drawn items stay until newer items replace them. Each call adds at most `NEW_IN_A_FRAME` items: newer items
 * first, then earlier items.
 */
export function nextRange(drawn: Range, length: number, shown: number): Range {
  // No drawn item stays if all items to show are newer, or if another timeline has begun.
  const isGone = drawn.to <= length - shown || drawn.to > length || drawn.from === drawn.to
  const before = isGone ? { from: length, to: length } : drawn
  const to = Math.min(length, before.to + NEW_IN_A_FRAME)
  const earlierCount = NEW_IN_A_FRAME - (to - before.to)
  return { from: Math.max(0, to - shown, before.from - earlierCount), to }
}

/** Whether a range has all items to show. */
export function isWhole({ from, to }: Range, length: number, shown: number): boolean {
  return to === length && from === Math.max(0, length - shown)
}
