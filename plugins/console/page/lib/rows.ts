/** The positions of the rows of a list, whose heights may differ. */

/** The top of each row in pixels, followed by the height of the whole list. */
export function topsOf<T>(rows: readonly T[], heightOf: (row: T) => number): readonly number[] {
  let top = 0
  const tops = [top]
  for (const row of rows) tops.push((top += heightOf(row)))
  return tops
}

/** The index of the row at a vertical position. Returns the first or the last row for a position outside the list. */
export function rowAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** The index at which an item at a vertical position is inserted. In the lower half of a row, this is after the row. */
export function gapAt(tops: readonly number[], y: number): number {
  const rows = tops.length - 1
  if (rows === 0) return 0
  const row = rowAt(tops, y)
  return y > (tops[row]! + tops[row + 1]!) / 2 ? row + 1 : row
}
