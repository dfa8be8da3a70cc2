/** Checks whether the allowed licences of a profile satisfy a licence that is given as an SPDX expression. */

/** Longest expression in characters that is parsed; no real expression is longer. */
const LONGEST = 500

/**
 * Whether `allowed` satisfies an expression such as `MIT`, `(MIT OR Apache-2.0) AND BSD-3-Clause` or
 * `GPL-2.0-only WITH Classpath-exception-2.0`. Returns false for null and for an invalid expression.
 */
export function isAllowed(expression: string | null, allowed: readonly string[]): boolean {
  if (expression === null || expression.length > LONGEST) return false
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  const has = new Set(allowed)
  let at = 0
  /** One licence or a bracketed expression; undefined if the text is invalid. */
  const atom = (): boolean | undefined => {
    const token = tokens[at++]
    if (token === '(') {
      const inside = either()
      return tokens[at++] === ')' ? inside : undefined
    }
    if (token === undefined || !/^[A-Za-z0-9.+-]+$/.test(token)) return undefined
    if (tokens[at] !== 'WITH') return has.has(token)
    at += 2
    // An exception only adds permissions to a licence.
    return has.has(token) || has.has(`${token} WITH ${tokens[at - 1]}`)
  }
  const both = (): boolean | undefined => {
    let result = atom()
    while (tokens[at] === 'AND') {
      at++
      const next = atom()
      result = result === undefined || next === undefined ? undefined : result && next
    }
    return result
  }
  const either = (): boolean | undefined => {
    let result = both()
    while (tokens[at] === 'OR') {
      at++
      const next = both()
      result = result === undefined || next === undefined ? undefined : result || next
    }
    return result
  }
  return either() === true && at === tokens.length
}
