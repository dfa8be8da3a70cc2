/** Finds what env files, `echo`, editors and Compose add around a text. */
import { isObject } from '../is-object.ts'
import { Secret } from './secret.ts'

/**
 * Names the white space, the control character or the pair of quotes that surrounds a text, or one of the texts in a list or an object;
 * undefined if there is none. No setting needs them, and a secret with a line end at its end verifies nothing.
 */
export function surroundings(input: unknown): string | undefined {
  if (input instanceof Secret) return surroundings(input.reveal())
  if (Array.isArray(input) || isObject(input)) {
    for (const inner of Object.values(input)) {
      const found = surroundings(inner)
      if (found !== undefined) return found
    }
  }
  if (typeof input !== 'string') return undefined
  if (/^(["']).*\1$/s.test(input)) return 'the quotes around it'
  const [found] = /^[\s\p{Cc}]|[\s\p{Cc}]$/u.exec(input) ?? []
  if (found === undefined) return undefined
  const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `the ${NAMES[found] ?? 'character'} (U+${code}) at its ${input.startsWith(found) ? 'beginning' : 'end'}`
}

const NAMES: Readonly<Record<string, string>> = { '\n': 'line end', '\r': 'line end', '\t': 'tab', ' ': 'space' }
