/**
 * Parses a body strictly: it must have exactly one canonical form.
 *
 * JSON.parse keeps the last of two equal members, rounds numbers and lets lone surrogates pass, so that two different
 * bodies could have the same hash. The scan is a loop and not recursive, so that deep nesting cannot overflow the
 * stack.
 */
import { byteOrderMark } from '../../../../core/kernel/bytes.ts'
import { fail } from '../../errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** A UTF-16 surrogate without its other half (RFC 8785 section 3.2.2.2). */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Parses a body. Throws `malformed_json` if it is not JSON in UTF-8 (or starts with a byte order mark), and otherwise
 * `canonicalization_failed` if it has no canonical form. Arrays and objects may nest `maxDepth` deep; a flat object has
 * depth 1.
 */
export function admitJson(bytes: Uint8Array, maxDepth = 16): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw fail('malformed_json')
  }
  const scan = scanJson(text, maxDepth)
  if (!scan.wellFormed) throw fail('malformed_json', byteOrderMark(bytes))
  if (!scan.canonical) throw fail('canonicalization_failed')
  const value: unknown = JSON.parse(text)
  // JSON.parse keeps one of several equal names.
  if (countNames(value) !== scan.names) throw fail('canonicalization_failed')
  return value
}

interface Scan {
  wellFormed: boolean
  canonical: boolean
  /** Number of names in the text. */
  names: number
}

/** Number of members of a value and of all values inside it. The depth was checked before. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  let count = Array.isArray(value) ? 0 : inside.length
  for (const one of inside) count += countNames(one)
  return count
}

/**
 * Scans the text once. The scan goes on after a violation of the canonical rules, because a syntax error has
 * precedence.
 */
function scanJson(text: string, maxDepth: number): Scan {
  const scan: Scan = { wellFormed: false, canonical: true, names: 0 }
  /**
   * One for each open object, zero for each open array. One byte each, so that a body of brackets only doubles its
   * memory.
   */
  let open = new Uint8Array(64)
  let depth = 0
  let at = skipSpace(text, 0)
  for (;;) {
    // A value starts here.
    const char = text[at]
    if (char === '{' || char === '[') {
      if (depth === maxDepth) scan.canonical = false
      if (depth === open.length) open = twiceAsLong(open)
      open[depth] = char === '{' ? 1 : 0
      depth++
      at = skipSpace(text, at + 1)
      if (text[at] !== (char === '{' ? '}' : ']')) {
        if (char === '{' && (at = scanName(text, at, scan)) < 0) return scan
        continue
      }
    } else if (char === '"') {
      at = scanString(text, at, scan)
    } else {
      at = scanLiteral(text, at, scan)
    }
    if (at < 0) return scan
    // A value ended here, or an empty array or object needs its closing bracket.
    for (;;) {
      at = skipSpace(text, at)
      if (depth === 0) {
        scan.wellFormed = at === text.length
        return scan
      }
      const next = text[at]
      const isObject = open[depth - 1] === 1
      if (next === (isObject ? '}' : ']')) {
        depth--
        at++
        continue
      }
      if (next !== ',') return scan
      at = skipSpace(text, at + 1)
      if (isObject && (at = scanName(text, at, scan)) < 0) return scan
      break
    }
  }
}

function twiceAsLong(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(2 * bytes.length)
  longer.set(bytes)
  return longer
}

/** Reads `"name" :` and returns where the value starts, or -1. */
function scanName(text: string, start: number, scan: Scan): number {
  if (text[start] !== '"') return -1
  const end = scanString(text, start, scan)
  if (end < 0) return -1
  scan.names++
  const colon = skipSpace(text, end)
  return text[colon] === ':' ? skipSpace(text, colon + 1) : -1
}

/**
 * Reads a string and returns where it ends, or -1. The text was UTF-8, so that only an escape can be a lone surrogate.
 */
function scanString(text: string, start: number, scan: Scan): number {
  let at = start + 1
  let unicode = false
  for (;;) {
    // Character by character, because most strings are short and a regular expression would take longer.
    let code = text.charCodeAt(at)
    while (code >= 0x20 && code !== 0x22 && code !== 0x5c) code = text.charCodeAt(++at)
    if (code === 0x22) break
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) return -1
    unicode ||= text[at + 1] === 'u'
    at = ESCAPE.lastIndex
  }
  if (unicode && scan.canonical && LONE_SURROGATE.test(JSON.parse(text.slice(start, at + 1)) as string))
    scan.canonical = false
  return at + 1
}

/** Reads a number, `true`, `false` or `null` and returns where it ends, or -1. */
function scanLiteral(text: string, start: number, scan: Scan): number {
  const end = skipPlainInteger(text, start)
  if (end > start) return end
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, start)) return start + word.length
  NUMBER.lastIndex = start
  if (!NUMBER.test(text)) return -1
  if (scan.canonical && !isExactInteger(text.slice(start, NUMBER.lastIndex))) scan.canonical = false
  return NUMBER.lastIndex
}

/** The end of an integer of at most 15 digits, as nearly all numbers are; `start` for anything else. */
function skipPlainInteger(text: string, start: number): number {
  let at = start
  let code = text.charCodeAt(at)
  while (code >= 0x30 && code <= 0x39) code = text.charCodeAt(++at)
  const isWhole = code !== 0x2e && code !== 0x65 && code !== 0x45
  const isShort = at - start <= 15 && (at - start === 1 || text[start] !== '0')
  return isWhole && isShort ? at : start
}

function skipSpace(text: string, start: number): number {
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

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

/**
 * Removes zeros at both ends. `trailing` is the number of those at the right. A loop, because a regular expression
 * would backtrack.
 */
function stripZeros(digits: string): { text: string; trailing: number } {
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  return { text: digits.slice(start, end), trailing: digits.length - end }
}
