/** Which items of a timeline are in the document. */

/** Items from the index `from` up to, not including, `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Items that one frame may add. A hundred of them take longer than a frame should. */
export const NEW_IN_A_FRAME = 12

/** No items. */
export const NOTHING: Range = { from: 0, to: 0 }

/**
 * The range to draw behind a range that is drawn, of `length` items: at most the newest `shown` in the end. What is drawn stays until
 * newer ones take its place. At most `NEW_IN_A_FRAME` come to it: newer ones first, then earlier ones.
 */
export function nextRange(drawn: Range, length: number, shown: number): Range {
  // Nothing of it stays if all that is shown in the end is newer, or another timeline has begun.
  const isGone = drawn.to <= length - shown || drawn.to > length || drawn.from === drawn.to
  const before = isGone ? { from: length, to: length } : drawn
  const to = Math.min(length, before.to + NEW_IN_A_FRAME)
  const left = NEW_IN_A_FRAME - (to - before.to)
  return { from: Math.max(0, to - shown, before.from - left), to }
}

/** Whether a range is what is to be shown in the end. */
export function isWhole({ from, to }: Range, length: number, shown: number): boolean {
  return to === length && from === Math.max(0, length - shown)
}
