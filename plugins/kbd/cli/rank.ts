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
    if (digits[i]! < DIGITS.length - 1) {
      digits[i]!++
      // What stands behind the counted digit is zero, and zeros at the end are left out.
      return digits
        .slice(0, i + 1)
        .map((digit) => DIGITS[digit])
        .join('')
    }
  }
  if (last.length >= LONGEST) throw new RangeError('There is no rank left behind the last one.')
  return `${last}1`
}
