/** Reads a JSON body against a schema. */
import { httpFail } from '../../catalogue.ts'
import { byteOrderMark, strictUtf8 } from '../../utf8.ts'
import type { SvcRequest } from '../request.ts'

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
