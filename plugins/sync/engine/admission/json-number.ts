/** The rule for numbers: a whole number of at most 2^53 - 1, decided by the digits and not by a rounded double. */

const LARGEST = '9007199254740991'

/**
 * Whether a JSON number is a whole number that a double holds exactly, and is not negative zero.
 * `1e3` and `1.0` are whole; `1.00000000000000000001` is not, although a double would round it.
 */
export function isExactInteger(literal: string): boolean {
  if (literal.length <= 15 && !/[.eE]/.test(literal)) return literal !== '-0'
  // Parsed without a regular expression, which would allocate an array for each number.
  const isNegative = literal.startsWith('-')
  const exponentAt = Math.max(literal.indexOf('e'), literal.indexOf('E'))
  const mantissa = literal.slice(isNegative ? 1 : 0, exponentAt < 0 ? literal.length : exponentAt)
  const point = mantissa.indexOf('.')
  const fractionLength = point < 0 ? 0 : mantissa.length - point - 1
  const digits = stripZeros(point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1))
  if (digits.text === '') return !isNegative
  const exponent = exponentAt < 0 ? 0 : Number(literal.slice(exponentAt + 1))
  const power = exponent - fractionLength + digits.trailing
  if (power < 0 || digits.text.length + power > LARGEST.length) return false
  const value = digits.text + '0'.repeat(power)
  return value.length < LARGEST.length || value <= LARGEST
}

/** Removes zeros at both ends. `trailing` is the number of those at the right. A loop, because a regular expression would backtrack. */
function stripZeros(digits: string): { text: string; trailing: number } {
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  return { text: digits.slice(start, end), trailing: digits.length - end }
}
