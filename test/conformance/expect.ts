/** Compares an answer with what a case expects. */
import * as assert from 'uvu/assert'
import type { Answer, Expect } from '../../core/testing/contract.ts'

/** Fails if the answer differs, with the answer in the message. */
export function checkAnswer(answer: Answer, expected: Expect): void {
  const shown = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text.slice(0, 500)}`
  assert.is(answer.status, expected.status, shown)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const got = answer.headers[name]
    if (value === null) assert.is(got, undefined, `${name} must not be there: ${shown}`)
    else if (value instanceof RegExp) assert.match(got ?? '', value, `${name}: ${shown}`)
    else assert.is(got, value, `${name}: ${shown}`)
  }
  const { body } = expected
  if (body instanceof RegExp) assert.match(answer.text, body, shown)
  else if (body !== undefined) assert.ok(contains(answer.json(), body), `${JSON.stringify(body)} is not in ${shown}`)
}

/** Returns true if `value` has every member of `part`, at any depth. */
export function contains(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return value === part
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(part) && (!Array.isArray(value) || value.length !== part.length)) return false
  const members = value as Record<string, unknown>
  return Object.entries(part).every(([name, inner]) => name in members && contains(members[name], inner))
}
