/**
 * Reads parameters of a query. An invalid or a repeated parameter is 400 `malformed_request`, and the message names the
 * parameter.
 */
import { httpFail } from '../catalogue.ts'
import type { SvcRequest } from './request.ts'

/** The text of a parameter; undefined if the parameter is absent. */
export function readText(request: SvcRequest, name: string): string | undefined {
  const values = request.query === '' ? [] : new URLSearchParams(request.query).getAll(name)
  if (values.length > 1) throw wrong(name, 'given once')
  return values[0]
}

/** A whole number within bounds; `otherwise` if the parameter is absent. */
export function readNumber<Otherwise extends number | undefined>(
  request: SvcRequest,
  name: string,
  otherwise: Otherwise,
  min: number,
  max: number,
): number | Otherwise {
  const text = readText(request, name)
  if (text === undefined) return otherwise
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw wrong(name, `an integer from ${min} to ${max}`)
  return value
}

/** One of some words; undefined if the parameter is absent. */
export function readWord<W extends string>(request: SvcRequest, name: string, words: readonly W[]): W | undefined {
  const text = readText(request, name)
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw wrong(name, `one of ${words.join(', ')}`)
  return word
}

/** The error for an invalid parameter. `form` says what its value may be. */
export function wrong(name: string, form: string): Error {
  return httpFail('malformed_request', { message: `The parameter ${name} is ${form}.` })
}
