/** Ranks: fractional indexes of `[0-9A-Za-z]`, compared by bytes, at most 64 long, not ending in `0`. */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of leading digits that are counted up. A new last rank becomes longer only after some 62^6 ranks. */
const COUNTED = 6
const LONGEST = 64

/**
 * A rank at the end of a column with these ranks, which are in ascending order. If no rank is possible after the last
 * one, the new rank is before the last one. Otherwise a card with the highest rank would prevent further cards in the
 * column.
 */
export function rankAtEnd(ranks: readonly string[]): string {
  const room = ranks.filter((rank) => !isLast(rank))
  return rankAfter(room.at(-1))
}

/** Whether `rankAfter` finds no rank after this one. */
function isLast(rank: string): boolean {
  return rank.length >= LONGEST && rank.startsWith(DIGITS.slice(-1).repeat(COUNTED))
}

/** A rank after `last`, or the first rank without `last`. Throws a `RangeError` if no rank is possible after `last`. */
export function rankAfter(last: string | undefined): string {
  if (last === undefined) return 'V'
  const digits = [...last.slice(0, COUNTED).padEnd(COUNTED, '0')].map((digit) => DIGITS.indexOf(digit))
  for (let i = COUNTED - 1; i >= 0; i--) {
    const digit = digits[i]
    if (digit !== undefined && digit < DIGITS.length - 1) {
      digits[i] = digit + 1
      // All later digits become zero, and a rank has no zeros at its end.
      return digits
        .slice(0, i + 1)
        .map((each) => DIGITS[each])
        .join('')
    }
  }
  if (last.length >= LONGEST) throw new RangeError('There is no rank left after the last rank.')
  return `${last}1`
}

/**
 * A rank between two ranks. Without `before` it is a rank before `after`; without `after` it is a rank after `before`.
 * Returns undefined if there is none: the two are equal or in the wrong order, or the rank would be too long.
 */
export function rankBetween(before: string | undefined, after: string | undefined): string | undefined {
  if (after === undefined) return before !== undefined && isLast(before) ? undefined : rankAfter(before)
  const low = before ?? ''
  if (low >= after) return undefined
  let rank = ''
  for (let at = 0; rank.length < LONGEST; at++) {
    const lowDigit = at < low.length ? DIGITS.indexOf(low.charAt(at)) : 0
    // Once the rank is below `after`, any further digit keeps the rank below `after`.
    const isBelow = rank < after.slice(0, rank.length)
    const highDigit = isBelow || at >= after.length ? DIGITS.length : DIGITS.indexOf(after.charAt(at))
    const middle = Math.floor((lowDigit + highDigit) / 2)
    rank += DIGITS.charAt(middle)
    if (middle > lowDigit) return rank
  }
  return undefined
}
