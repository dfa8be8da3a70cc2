/**
 * The shape of code: what stays of it when names of variables, types, layout and comments are taken away. Two functions of
 * one shape are copies of each other, whatever a formatter or a minifier made of one of them.
 */
import { functionsIn } from './functions.ts'
import { TEXT, type Tokens, tokensOf, WORD } from './tokens.ts'

/** How many tokens in a row make one shingle. */
const SHINGLE_TOKENS = 16

/** A function within the file whose shape was taken. */
export interface FunctionShape {
  readonly name: string
  /** Its shingles are those of the file from here… */
  readonly from: number
  /** …up to here, exclusive. */
  readonly to: number
}

/** The shape of a file. */
export interface Shape {
  /** A hash for each run of {@link SHINGLE_TOKENS} tokens, in the order of the file. */
  readonly shingles: Uint32Array
  readonly functions: readonly FunctionShape[]
}

/** Takes the shape of code as the bundler prints it, which is one and the same for one program. */
export function shapeOf(code: string): Shape {
  const tokens = tokensOf(code)
  const found = functionsIn(code, tokens)
  const methods = new Set(found.flatMap(({ method }) => method ?? []))
  const labels = new Uint32Array(tokens.count)
  for (let at = 0; at < labels.length; at++) labels[at] = labelOf(code, tokens, at, methods)
  const shingles = new Uint32Array(Math.max(0, labels.length - SHINGLE_TOKENS + 1))
  for (let at = 0; at < shingles.length; at++) {
    let sum = 0
    for (let next = at; next < at + SHINGLE_TOKENS; next++)
      sum = Math.imul(sum ^ labels[next]!, 0x01000193) + 0x9e3779b9
    shingles[at] = sum
  }
  const functions = found.map(({ name, from, to }) => ({ name, from, to: Math.max(from, to - SHINGLE_TOKENS + 1) }))
  return { shingles, functions }
}

/** Names of members and the text of literals stay, names of variables do not: a minifier changes only those. */
function labelOf(code: string, tokens: Tokens, at: number, methods: ReadonlySet<number>): number {
  const { kinds, from, to } = tokens
  const [start, end] = [from[at]!, to[at]!]
  if (kinds[at] !== WORD) return hash(code, start, end, kinds[at] === TEXT ? LITERAL : OTHER)
  // A name of a private member is a variable's to a minifier.
  if (code.charCodeAt(start) === HASH) return VARIABLE
  if (methods.has(at) || isMember(code, tokens, at)) return hash(code, start, end, MEMBER)
  return keywords.has(code.slice(start, end)) ? hash(code, start, end, OTHER) : VARIABLE
}

/** `a.name`, `a?.name`, and `name:` in an object. */
function isMember(code: string, { count, from, to }: Tokens, at: number): boolean {
  const [before, start] = at === 0 ? [0, 0] : [to[at - 1]!, from[at - 1]!]
  const last = code[before - 1]
  if (last === '.') return before - start < 3
  return (last === '{' || last === ',') && at + 1 < count && code[from[at + 1]!] === ':'
}

const keywords = new Set(
  'await async break case catch class const continue debugger default delete do else export extends false finally for function get if import in instanceof let new null of return set static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
)

const HASH = 35

const VARIABLE = 0x811c9dc5
const MEMBER = 0x2c1b3c6d
const LITERAL = 0x297a2d39
const OTHER = 0x9e3779b1

function hash(text: string, from: number, to: number, kind: number): number {
  let sum = kind
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum
}
