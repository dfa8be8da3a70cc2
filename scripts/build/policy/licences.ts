/** Checks whether the allowed licences of a profile satisfy the licence of a package. */
import parse, { type Info } from 'spdx-expression-parse'

/** Longest expression in characters that is parsed; no real expression is longer. */
const LONGEST = 500

/**
 * Whether `allowed` satisfies an SPDX expression such as `MIT`, `(MIT OR Apache-2.0) AND BSD-3-Clause` or
 * `GPL-2.0-only WITH Classpath-exception-2.0`. A text that is no expression, such as `SEE LICENSE IN LICENSE.txt`, must be in the
 * list as it is. Returns false for null.
 */
export function isAllowed(licence: string | null, allowed: readonly string[]): boolean {
  if (licence === null || licence.length > LONGEST) return false
  const has = new Set(allowed)
  const satisfies = (info: Info): boolean => {
    if ('conjunction' in info) {
      const [left, right] = [satisfies(info.left), satisfies(info.right)]
      return info.conjunction === 'and' ? left && right : left || right
    }
    const { license, plus, exception } = info
    const name = plus === true ? `${license}+` : license
    // An exception only adds permissions to a licence.
    return has.has(name) || (exception !== undefined && has.has(`${name} WITH ${exception}`))
  }
  const info = parsed(licence)
  return info === undefined ? has.has(licence) : satisfies(info)
}

function parsed(licence: string): Info | undefined {
  try {
    return parse(licence)
  } catch {
    return undefined
  }
}
