/** Ranks: fractional indexes of `[0-9A-Za-z]`, compared by bytes, at most 64 long, not ending in `0`. */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Digits that are counted up: room for as many places as nobody needs before a rank has to grow. */
const COUNTED = 6
const LONGEST = 64

/**
 * A rank at the end of a column, given its ranks in ascending order. Where the last rank has none behind it, the new one
 * comes before it: a card that anybody may place at the very end must not close the column.
 */
export function rankAtEnd(ranks: readonly string[]): string {
  const room = ranks.filter((rank) => !isLast(rank))
  return rankAfter(room.at(-1))
}

/** Whether no rank is left behind a rank. */
function isLast(rank: string): boolean {
  return rank.length >= LONGEST && rank.startsWith(DIGITS.slice(-1).repeat(COUNTED))
}

/** A rank behind another; the first of all where there is none. Throws a `RangeError` where none is left. */
export function rankAfter(last: string | undefined): string {
  if (last === undefined) return 'V'
  const digits = [...last.slice(0, COUNTED).padEnd(COUNTED, '0')].map((digit) => DIGITS.indexOf(digit))
  for (let i = COUNTED - 1; i >= 0; i--) {
    const digit = digits[i]
    if (digit !== undefined && digit < DIGITS.length - 1) {
      digits[i] = digit + 1
      // What stands behind the counted digit is zero, and zeros at the end are left out.
      return digits
        .slice(0, i + 1)
        .map((each) => DIGITS[each])
        .join('')
    }
  }
  if (last.length >= LONGEST) throw new RangeError('There is no rank left behind the last one.')
  return `${last}1`
}

/**
 * A rank between two others; without `before` one in front of all, without `after` one behind `before`. Undefined where there is
 * none: they are equal, in the wrong order, or too long.
 */
export function rankBetween(before: string | undefined, after: string | undefined): string | undefined {
  if (after === undefined) return before !== undefined && isLast(before) ? undefined : rankAfter(before)
  const low = before ?? ''
  if (low >= after) return undefined
  let rank = ''
  for (let at = 0; rank.length < LONGEST; at++) {
    const from = at < low.length ? DIGITS.indexOf(low.charAt(at)) : 0
    // Once the rank is below `after`, whatever follows is.
    const isBelow = rank < after.slice(0, rank.length)
    const to = isBelow || at >= after.length ? DIGITS.length : DIGITS.indexOf(after.charAt(at))
    const middle = Math.floor((from + to) / 2)
    rank += DIGITS.charAt(middle)
    if (middle > from) return rank
  }
  return undefined
}
