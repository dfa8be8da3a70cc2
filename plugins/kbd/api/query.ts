/** Reads parameters of a query. An invalid value is 400 `malformed_request`, and the message names the parameter. */
import type { SvcRequest } from '../../../core/http/request.ts'
import { fail } from '../errors.ts'

/** A whole number within bounds; `otherwise` if the parameter is absent. */
export function readNumber(request: SvcRequest, name: string, otherwise: number, min: number, max: number): number {
  const text = request.queryParam(name)
  if (text === undefined) return otherwise
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw wrong(name, `an integer from ${min} to ${max}`)
  return value
}

/** One of some words; undefined if the parameter is absent. */
export function readWord<W extends string>(request: SvcRequest, name: string, words: readonly W[]): W | undefined {
  const text = request.queryParam(name)
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw wrong(name, `one of ${words.join(', ')}`)
  return word
}

/** The error for an invalid parameter. `form` says what its value may be. */
export function wrong(name: string, form: string): Error {
  return fail('malformed_request', { message: `The parameter ${name} is ${form}.` })
}
