/** Parameters of queries. A value that is none is 400 `malformed_request` that names the parameter. */
import type { SvcRequest } from '../../../core/http/request.ts'
import { fail } from '../errors.ts'

/** A whole number within bounds; `otherwise` where the parameter is not there. */
export function readNumber(request: SvcRequest, name: string, otherwise: number, min: number, max: number): number {
  const text = request.queryParam(name)
  if (text === undefined) return otherwise
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw wrong(name)
  return value
}

/** One of some words; undefined where the parameter is not there. */
export function readWord<W extends string>(request: SvcRequest, name: string, words: readonly W[]): W | undefined {
  const text = request.queryParam(name)
  if (text === undefined) return undefined
  const word = words.find((one) => one === text)
  if (word === undefined) throw wrong(name)
  return word
}

/** The refusal of a parameter. */
export function wrong(name: string): Error {
  return fail('malformed_request', { message: `The parameter ${name} is not of the right form.` })
}
