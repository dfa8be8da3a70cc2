/** Where the functions of a text are, by its tokens. */
import { MARK, type Tokens, WORD } from './tokens.ts'

/** A function, from its first token to the one behind its last. */
export interface FoundFunction {
  readonly name: string
  readonly from: number
  readonly to: number
  /** The token of its name, where it is a member of a class or an object. */
  readonly method?: number
}

type Begun = Omit<FoundFunction, 'to'>

/** Words before the brackets of what is no function. */
const HEADS = new Set(['if', 'for', 'while', 'with', 'switch', 'catch', 'await'])

/** Every function of a text, the inner before the outer. */
export function functionsIn(code: string, { count, kinds, from, to }: Tokens): FoundFunction[] {
  const found: FoundFunction[] = []
  const textAt = (at: number): string => (at < 0 || at >= count ? '' : code.slice(from[at], to[at]))
  const wordAt = (at: number): string => (at >= 0 && kinds[at] === WORD ? textAt(at) : '')
  /** Open brackets: the token, and the function whose body it opens. */
  const open: { readonly at: number; readonly begun: Begun | undefined }[] = []
  /** The bracket that each closed one opened with; of a template there is none. */
  const opened = new Map<number, number>()
  /** Functions whose body is an expression, with how many brackets are open around them. */
  const arrows: { readonly begun: Begun; readonly depth: number }[] = []
  const nameBefore = (at: number): string => {
    const sign = textAt(at - 1)
    return ((sign === '=' || sign === ':') && wordAt(at - 2)) || 'a function'
  }
  /** The function whose arrow stands at a token. */
  const arrowAt = (at: number): Begun => {
    const first = opened.get(at - 1) ?? at - 1
    const start = wordAt(first - 1) === 'async' ? first - 1 : first
    return { name: nameBefore(start), from: start }
  }
  /** The function whose parameters end before a token, if they are such. */
  const bodyAt = (at: number): Begun | undefined => {
    const first = opened.get(at - 1)
    if (first === undefined || textAt(first) !== '(') return undefined
    const name = wordAt(first - 1)
    if (HEADS.has(name)) return undefined
    const before = (place: number): number => (textAt(place) === '*' ? place - 1 : place)
    const isNamed = name !== '' && name !== 'function'
    const start = before(isNamed ? first - 2 : first - 1)
    if (wordAt(start) === 'function') return { name: isNamed ? name : nameBefore(start), from: start }
    return isNamed ? { name, from: first - 1, method: first - 1 } : { name: 'a function', from: first }
  }
  const endArrows = (at: number): void => {
    while (arrows.length > 0 && arrows.at(-1)!.depth === open.length) found.push({ ...arrows.pop()!.begun, to: at })
  }
  let arrow: Begun | undefined
  for (let at = 0; at < count; at++) {
    if (kinds[at] !== MARK) continue
    const mark = textAt(at)
    if (mark === '=>') {
      arrow = arrowAt(at)
      if (textAt(at + 1) === '{') continue
      arrows.push({ begun: arrow, depth: open.length })
    } else if (mark === '{') open.push({ at, begun: arrow ?? bodyAt(at) })
    else if (mark === '(' || mark === '[') open.push({ at, begun: undefined })
    else if (mark === ',' || mark === ';') endArrows(at)
    else if (mark === ')' || mark === ']' || mark === '}') {
      endArrows(at)
      const bracket = open.pop()
      if (bracket === undefined) continue
      opened.set(at, bracket.at)
      if (bracket.begun !== undefined) found.push({ ...bracket.begun, to: at + 1 })
    }
    arrow = undefined
  }
  return found
}
