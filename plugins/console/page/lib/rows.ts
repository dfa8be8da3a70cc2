/** Where the rows of a list stand, each with a height of its own. */

/** The top of each row in pixels, and behind them the height of all. */
export function topsOf<T>(rows: readonly T[], heightOf: (row: T) => number): readonly number[] {
  let top = 0
  const tops = [top]
  for (const row of rows) tops.push((top += heightOf(row)))
  return tops
}

/** The index of the row at a height; the first or the last where it is outside. */
export function rowAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** Before which row a thing at a height is put: behind a row from its middle on. */
export function gapAt(tops: readonly number[], y: number): number {
  const rows = tops.length - 1
  if (rows === 0) return 0
  const row = rowAt(tops, y)
  return y > (tops[row]! + tops[row + 1]!) / 2 ? row + 1 : row
}
