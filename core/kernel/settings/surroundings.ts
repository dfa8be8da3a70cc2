/** Finds what env files, `echo`, editors and Compose add around a text. */

import { Secret } from '../../declare/secret.ts'
import { isObject } from '../values.ts'

/**
 * Names the white space, the control character or the pair of quotes that surrounds a text, or one of the texts in a
 * list or an object; undefined if there is none. No setting needs them, and a secret with a line end at its end
 * verifies nothing.
 */
export function surroundings(input: unknown): string | undefined {
  if (input instanceof Secret) return surroundings(input.reveal())
  if (Array.isArray(input) || isObject(input)) {
    for (const inner of Object.values(input)) {
      const name = surroundings(inner)
      if (name !== undefined) return name
    }
  }
  if (typeof input !== 'string') return undefined
  if (/^(["']).*\1$/s.test(input)) return 'the quotes around it'
  const [character] = /^[\s\p{Cc}]|[\s\p{Cc}]$/u.exec(input) ?? []
  if (character === undefined) return undefined
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `the ${NAMES[character] ?? 'character'} (U+${code}) at its ${input.startsWith(character) ? 'beginning' : 'end'}`
}

const NAMES: Readonly<Record<string, string>> = { '\n': 'line end', '\r': 'line end', '\t': 'tab', ' ': 'space' }
