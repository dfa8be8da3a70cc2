import type { JsonSchema, JsonType } from '../../../core/declare/json-schema.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { ObjectSchema } from './schemas.ts'

/**
 * Checks the input of a tool. Returns the first fault as a sentence; undefined if the input fits. Supports only the
 * keywords of JSON Schema that schemas.ts uses for inputs.
 */
export function checkInput(input: unknown, { required = [], properties = {} }: ObjectSchema): string | undefined {
  if (!isObject(input)) return 'The input must be an object.'
  const members = Object.keys(properties)
  const missing = required.find((name) => !Object.hasOwn(input, name))
  if (missing !== undefined) return `\`${missing}\` is missing.`
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(properties, name))
      return `There is no member ${JSON.stringify(name.slice(0, 64))}; there are: ${members.join(', ')}.`
    const wanted = misfit(value, properties[name]!)
    if (wanted !== undefined) return `\`${name}\` must be ${wanted}.`
  }
  return undefined
}

/** The description of the expected value. Returns undefined if the value fits. */
function misfit(value: unknown, schema: JsonSchema): string | undefined {
  if (schema.enum !== undefined) {
    return schema.enum.some((word) => word === value) ? undefined : `one of ${schema.enum.join(', ')}`
  }
  if (isNullable(schema)) {
    if (value === null) return undefined
    const wanted = misfit(value, { ...schema, type: schema.type[0] })
    return wanted && `${wanted}, or null`
  }
  if (schema.type === 'string') {
    const { minLength = 0, maxLength = Infinity } = schema
    // The service counts bytes, so the schema's lengths are bytes of UTF-8 here.
    const bytes = typeof value === 'string' ? Buffer.byteLength(value) : undefined
    if (bytes !== undefined && bytes >= minLength && bytes <= maxLength) return undefined
    return `a text of ${minLength} to ${maxLength} bytes of UTF-8${bytes === undefined ? '' : `; this has ${bytes}`}`
  }
  if (schema.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
    const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
    return fits ? undefined : `an integer from ${minimum} to ${maximum}`
  }
  if (schema.type === 'array') {
    const { maxItems = Infinity, items = {} } = schema
    if (!Array.isArray(value)) return `a list of at most ${maxItems}`
    if (value.length > maxItems) return `a list of at most ${maxItems}; this has ${value.length}`
    for (const item of value) {
      const wanted = misfit(item, items)
      if (wanted !== undefined) return `a list in which each item is ${wanted}`
    }
    return undefined
  }
  if (schema.type === 'object') return isObject(value) ? undefined : 'an object'
  throw new TypeError(`No input has the schema ${JSON.stringify(schema)}.`)
}

/** Whether a schema is that of `orNull`. */
function isNullable(schema: JsonSchema): schema is JsonSchema & { readonly type: readonly [JsonType, 'null'] } {
  return Array.isArray(schema.type) && schema.type[1] === 'null'
}
