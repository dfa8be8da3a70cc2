/**
 * The tokens of code as the bundler prints it: one way of quoting, spaces around every operator, no line break where there
 * could be a division. Of such a text a token is known by the one before it, and no tree is needed to tell them.
 */

/** What a token is. */
export const WORD = 1
const NUMBER = 2
/** A string, a regular expression, or what stands between the marks and the values of a template. */
export const TEXT = 3
export const MARK = 4

/** The tokens of a text, in its order. */
export interface Tokens {
  readonly count: number
  readonly kinds: Uint8Array
  /** Where each begins… */
  readonly from: Uint32Array
  /** …and ends, exclusive. */
  readonly to: Uint32Array
}

/** Words behind which a slash begins a regular expression. */
const BEFORE_VALUE = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await default extends'.split(' '),
)
/** Words whose brackets a statement stands behind. */
const HEADS = new Set(['if', 'for', 'while', 'with', 'await'])

/** Takes a text apart. */
export function tokensOf(code: string): Tokens {
  const kinds = new Uint8Array(code.length + 1)
  const from = new Uint32Array(code.length + 1)
  const to = new Uint32Array(code.length + 1)
  let count = 0
  /** For each open bracket, whether it is that of a statement's head, or a template goes on behind it. */
  const open: number[] = []
  let value = false
  const add = (kind: number, start: number, end: number, isValue: boolean): number => {
    kinds[count] = kind
    from[count] = start
    to[count++] = end
    value = isValue
    return end
  }
  const word = (index: number): string => (kinds[index] === WORD ? code.slice(from[index], to[index]) : '')
  /** Reads a template up to its end, or to its next value. */
  const template = (start: number): number => {
    let at = start
    for (; at < code.length; at++) {
      const char = code.charCodeAt(at)
      if (char === BACKSLASH) at++
      else if (char === BACKTICK) return add(TEXT, start, at, true) + 1
      else if (char === DOLLAR && code.charCodeAt(at + 1) === BRACE) break
    }
    add(TEXT, start, at, false)
    open.push(IN_TEMPLATE)
    return at + 2
  }
  for (let at = 0; at < code.length; ) {
    const char = code.charCodeAt(at)
    const is = char < 128 ? classes[char]! : IN_WORD
    if (is === BLANK) at++
    else if (is === IN_WORD) {
      const start = at
      while (at < code.length && isWordAt(code, at)) at++
      const isMember = count > 0 && kinds[count - 1] === MARK && code.charCodeAt(to[count - 1]! - 1) === DOT
      add(WORD, start, at, true)
      if (!isMember && BEFORE_VALUE.has(word(count - 1))) value = false
    } else if (is === DIGIT || (char === DOT && isDigit(code.charCodeAt(at + 1)))) {
      const start = at++
      while (at < code.length && (isWordAt(code, at) || code.charCodeAt(at) === DOT)) at++
      add(NUMBER, start, at, true)
    } else if (char === QUOTE || char === APOSTROPHE) at = add(TEXT, at + 1, textEnd(code, at + 1, char), true) + 1
    else if (char === BACKTICK) at = template(at + 1)
    else if (char === SLASH && code.charCodeAt(at + 1) === SLASH) at = endOr(code, code.indexOf('\n', at))
    else if (char === SLASH && code.charCodeAt(at + 1) === STAR) at = endOr(code, code.indexOf('*/', at) + 2, 1)
    else if (char === SLASH && !value) at = add(TEXT, at + 1, patternEnd(code, at + 1), true) + 1
    else if (is === OPENS) {
      open.push(HEADS.has(word(count - 1)) ? HEAD : 0)
      add(MARK, at, ++at, false)
    } else if (is === CLOSES) {
      const before = open.pop()
      if (before === IN_TEMPLATE) at = template(at + 1)
      // A line that begins behind a block is a statement.
      else add(MARK, at, ++at, before !== HEAD && !(char === BRACE_END && code.charCodeAt(at) === NEWLINE))
    } else {
      const start = at++
      if (is === OPERATOR || char === SLASH) while (at < code.length && classes[code.charCodeAt(at)] === OPERATOR) at++
      else if (char === DOT) while (code.charCodeAt(at) === DOT) at++
      if (char === QUESTION && at === start + 1 && code.charCodeAt(at) === DOT) at++
      add(MARK, start, at, at === start + 2 && (char === PLUS || char === MINUS) && code.charCodeAt(start + 1) === char)
    }
  }
  return { count, kinds, from, to }
}

function textEnd(code: string, start: number, quote: number): number {
  let at = start
  for (; at < code.length; at++) {
    const char = code.charCodeAt(at)
    if (char === BACKSLASH) at++
    else if (char === quote) break
  }
  return at
}

function patternEnd(code: string, start: number): number {
  let inClass = false
  let at = start
  for (; at < code.length; at++) {
    const char = code.charCodeAt(at)
    if (char === NEWLINE || (char === SLASH && !inClass)) break
    if (char === BACKSLASH) at++
    else if (char === BRACKET) inClass = true
    else if (char === BRACKET_END) inClass = false
  }
  return at
}

/** A place that was searched for, or the end where there is none. */
function endOr(code: string, at: number, none: number = -1): number {
  return at === none ? code.length : at
}

function isWordAt(code: string, at: number): boolean {
  const char = code.charCodeAt(at)
  return char >= 128 || classes[char] === IN_WORD || classes[char] === DIGIT
}

function isDigit(char: number): boolean {
  return char < 128 && classes[char] === DIGIT
}

const BLANK = 1
const IN_WORD = 2
const DIGIT = 3
const OPENS = 4
const CLOSES = 5
const OPERATOR = 6

const HEAD = 1
const IN_TEMPLATE = 2

const classes = new Uint8Array(128)
for (const [chars, is] of [
  [' \t\r\n', BLANK],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$#\\', IN_WORD],
  ['0123456789', DIGIT],
  ['([{', OPENS],
  [')]}', CLOSES],
  ['=<>!&|^%*+-?~', OPERATOR],
] as const)
  for (const char of chars) classes[char.charCodeAt(0)] = is

const codeOf = (char: string): number => char.charCodeAt(0)
const BACKSLASH = codeOf('\\')
const BACKTICK = codeOf('`')
const DOLLAR = codeOf('$')
const BRACE = codeOf('{')
const BRACE_END = codeOf('}')
const BRACKET = codeOf('[')
const BRACKET_END = codeOf(']')
const DOT = codeOf('.')
const QUOTE = codeOf('"')
const APOSTROPHE = codeOf("'")
const SLASH = codeOf('/')
const STAR = codeOf('*')
const QUESTION = codeOf('?')
const PLUS = codeOf('+')
const MINUS = codeOf('-')
const NEWLINE = codeOf('\n')
