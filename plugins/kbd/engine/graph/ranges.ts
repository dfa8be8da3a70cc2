/**
 * Sets of positions as ranges: `[low, high, low, high, …]`, ascending, inclusive, never adjacent.
 *
 * A command stores the earlier positions that its author had not seen. Commands of one branch mostly come one after the
 * other, so this is a few numbers, while a set of ancestors would be the whole history.
 */
export type Ranges = readonly number[]

/** Whether a position is in the set. */
export function contains(ranges: Ranges, position: number): boolean {
  let low = 0
  let high = ranges.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[2 * middle + 1]! < position) low = middle + 1
    else high = middle
  }
  return 2 * low < ranges.length && ranges[2 * low]! <= position
}

/** The ranges one after the other. */
export function* eachRange(ranges: Ranges): Iterable<readonly [low: number, high: number]> {
  let low: number | undefined
  for (const bound of ranges) {
    if (low !== undefined) yield [low, bound]
    low = low === undefined ? bound : undefined
  }
}

/** The positions that are in both sets. */
export function intersect(one: Ranges, other: Ranges): Ranges {
  const both: number[] = []
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const low = Math.max(one[i]!, other[j]!)
    const high = Math.min(one[i + 1]!, other[j + 1]!)
    if (low <= high) both.push(low, high)
    if (one[i + 1]! < other[j + 1]!) i += 2
    else j += 2
  }
  return both
}

/** The set with the positions low … high, which are above those of the set. */
export function withTail(ranges: Ranges, low: number, high: number): Ranges {
  return low > high ? ranges : [...ranges, low, high]
}

/** The number of positions in the set. */
export function sizeOf(ranges: Ranges): number {
  let size = 0
  for (const [low, high] of eachRange(ranges)) size += high - low + 1
  return size
}

/** Encodes a set as a short text: differences in base 36. */
export function toText(ranges: Ranges): string {
  return ranges.map((bound, i) => (bound - (ranges[i - 1] ?? 0)).toString(36)).join(' ')
}

/** Decodes the text of a set. */
export function fromText(text: string): Ranges {
  if (text === '') return []
  let bound = 0
  return text.split(' ').map((difference) => (bound += Number.parseInt(difference, 36)))
}
