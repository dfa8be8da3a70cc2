/**
 * Parses JSON bodies, and validates bodies, queries and path parameters against a schema. The bounds of a body are
 * checked on its bytes before parsing, because parsing is the expensive step.
 */

import { byteOrderMark, strictUtf8 } from '../kernel/bytes.ts'
import { httpFail } from '../kernel/catalogue.ts'
import type { SvcRequest } from './request.ts'
import type { BodySpec, JsonBounds } from './route.ts'

/**
 * The part of Standard Schema 1.0 that is used here, so that a plugin can use any schema library. Only synchronous
 * schemas are accepted.
 */
export interface Schema<T> {
  readonly '~standard': {
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>
  }
}

/** The result of a validation: the value, or what is wrong with it. */
export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[]; readonly value?: unknown }

/** One error in a value, with its place. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * The body of a request as `schema` describes it.
 * @throws SvcError `malformed_json`, or `malformed_request` that names every invalid member
 *
 * @example
 * ```ts
 * import { readJson, type SvcRequest } from 'svc/plugin'
 * import { object, string } from 'valibot'
 *
 * const quote = object({ author: string() })
 * export const authorOf = async (request: SvcRequest) => (await readJson(request, quote)).author
 * ```
 */
export async function readJson<T>(request: SvcRequest, schema: Schema<T>): Promise<T> {
  return checkShape(parseJson(await request.body()), schema)
}

/**
 * The value of JSON bytes (RFC 8259; UTF-8, no byte order mark).
 * @throws SvcError `malformed_json`
 *
 * @example
 * ```ts
 * import { parseJson } from 'svc/plugin'
 *
 * parseJson(new TextEncoder().encode('{"author":"Mies"}')) // → { author: 'Mies' }
 * ```
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch {
    throw httpFail('malformed_json', byteOrderMark(bytes))
  }
}

/**
 * `value` as the schema describes it. `part` is the part of the request that it comes from.
 * @throws SvcError `malformed_request`
 *
 * @example
 * ```ts
 * import { checkShape } from 'svc/plugin'
 * import { object, string } from 'valibot'
 *
 * checkShape({ author: 'Mies' }, object({ author: string() })) // → { author: 'Mies' }
 * ```
 */
export function checkShape<T>(value: unknown, schema: Schema<T>, part: 'body' | 'query' | 'path' = 'body'): T {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError('Schemas of requests must validate synchronously.')
  if (result.issues === undefined) return result.value
  const problems = result.issues.map(({ path, message }) => `${toPath(path, part)}: ${message}`)
  throw httpFail('malformed_request', {
    message: `The ${part} does not have the expected shape. ${problems.join('; ')}`,
  })
}

/**
 * Checks that an object has no members but `names`, so that a misspelt member is an error and not a default.
 * @throws SvcError `malformed_request`
 */
export function refuseOtherMembers(object: object, names: readonly string[]): void {
  if (Object.keys(object).every((name) => names.includes(name))) return
  throw httpFail('malformed_request', { message: `The body has members other than ${names.join(', ')}.` })
}

function toPath(path: SchemaIssue['path'], whole: string): string {
  const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
  return keys.length === 0 ? whole : keys.join('.')
}

/** The bounds of a route that declares none. Parsing such a body takes less than 10 ms. */
const defaultJsonBounds: JsonBounds = { maxDepth: 64, maxMembers: 10_000 }

/** The bounds of a route's body; undefined for a body that is not JSON. */
export function jsonBoundsOf({ type, json }: BodySpec): JsonBounds | undefined {
  return type === 'application/json' ? { ...defaultJsonBounds, ...json } : undefined
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts the levels and members of a JSON text. Invalid JSON passes, because the parser refuses it at no greater cost.
 * @throws SvcError `malformed_request` if the text is nested too deep, `payload_too_large` if it has too many members
 */
export function checkJsonBounds(bytes: Uint8Array, { maxDepth, maxMembers }: JsonBounds): void {
  const { length } = bytes
  // Each level and each member takes a byte.
  if (length <= maxDepth && length <= maxMembers) return
  let depth = 0
  let members = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) members++
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth++
      // The first member of a container has no comma.
      members++
      if (depth > maxDepth) throw httpFail('malformed_request', { message: tooDeep(maxDepth) })
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    if (members > maxMembers) throw httpFail('payload_too_large', { message: tooMany(maxMembers) })
  }
}

/** The index of the quote that ends the string that starts at `start`, or the length. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function tooDeep(levels: number): string {
  return `The body is nested deeper than the ${levels} levels that this route takes.`
}

function tooMany(members: number): string {
  return `The body has more than the ${members} members and items that this route takes.`
}
