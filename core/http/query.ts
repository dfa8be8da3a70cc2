/**
 * Reads queries, by parameter or against a schema, and writes them. An invalid parameter, or a repeated one that is
 * no list, is 400 `malformed_request`, and the message names the parameter.
 */
import { httpFail } from '../kernel/catalogue.ts'
import { checkShape, type Schema, type SchemaIssue } from './json-body.ts'
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

type Values = Readonly<Record<string, string | readonly string[]>>

/**
 * The query as `schema` describes it. A parameter is a text, and a list of texts if it is repeated. A schema library
 * cannot be asked which parameters are lists, so a text that does not fit is tried as a list of one.
 * @throws SvcError `malformed_request` that names every invalid parameter
 */
export function readQuery<T>(query: string, schema: Schema<T>): T {
  const parameters = new URLSearchParams(query)
  const values: Values = Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [first = '', ...more] = parameters.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
  return checkShape(asLists(values, schema), schema, 'query')
}

/** Replaces a text by a list of one, if the schema refuses the text and accepts a list. */
function asLists(values: Values, schema: Schema<unknown>): Values {
  const wrong = new Set(issuesOf(values, schema).map(nameOf))
  if (wrong.size === 0) return values
  const lists: Values = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      wrong.has(name) && typeof value === 'string' ? [value] : value,
    ]),
  )
  const left = issuesOf(lists, schema).filter(({ path = [] }) => path.length < 2)
  const notLists = new Set(left.map(nameOf))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, notLists.has(name) ? value : lists[name]!]),
  )
}

function issuesOf(values: Values, schema: Schema<unknown>): readonly SchemaIssue[] {
  const result = schema['~standard'].validate(values)
  return (result instanceof Promise ? undefined : result.issues) ?? []
}

function nameOf({ path: [first] = [] }: SchemaIssue): string {
  return String(typeof first === 'object' ? first.key : first)
}

/** Writes the query of an address, with its question mark. Parameters without a value are left out. */
export function queryOf(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) query.set(name, value)
  return `?${query}`
}
