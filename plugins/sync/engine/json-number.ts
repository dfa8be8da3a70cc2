/** The number rule: by value a whole number within 2^53 - 1, decided on the digits and not on a rounded double. */

const LARGEST = '9007199254740991'
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * Whether the literal of a JSON number stands for a whole number that a double holds exactly, and is no negative zero.
 * `1e3` and `1.0` are whole; `1.00000000000000000001` is not, although a double would round it.
 */
export function isExactInteger(literal: string): boolean {
  if (literal.length <= 15 && !/[.eE]/.test(literal)) return literal !== '-0'
  const [, sign, whole, fraction = '', exponent = '0'] = PARTS.exec(literal)!
  const digits = stripZeros(whole! + fraction)
  if (digits.text === '') return sign === ''
  const power = Number(exponent) - fraction.length + digits.trailing
  if (power < 0 || digits.text.length + power > LARGEST.length) return false
  const value = digits.text + '0'.repeat(power)
  return value.length < LARGEST.length || value <= LARGEST
}

/** Removes zeros at both ends; `trailing` counts those at the right. Loops, because a regular expression backtracks here. */
function stripZeros(digits: string): { text: string; trailing: number } {
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  return { text: digits.slice(start, end), trailing: digits.length - end }
}
