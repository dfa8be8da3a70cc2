/** Checks a value against a schema of schemas.ts. It generates no code. */

import type { JsonSchema, JsonType } from '../../../../core/declare/json-schema.ts'
import { isObject } from '../../../../core/kernel/values.ts'

/**
 * The path of the first member that does not match the schema, such as `/expectedFrontier/heads/0`; undefined if the
 * value matches.
 */
export function findMisfit(value: unknown, schema: JsonSchema): string | undefined {
  if (schema.anyOf !== undefined) {
    const misfits = schema.anyOf.map((option) => findMisfit(value, option))
    return misfits.includes(undefined) ? undefined : (misfits.find((misfit) => misfit !== '') ?? '')
  }
  if (schema.const !== undefined && value !== schema.const) return ''
  if (schema.enum !== undefined && !schema.enum.some((word) => word === value)) return ''
  if (schema.type !== undefined && !hasType(value, schema.type)) return ''
  if (typeof value === 'string') {
    return schema.pattern !== undefined && !compile(schema.pattern).test(value) ? '' : undefined
  }
  if (typeof value === 'number') {
    return value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity) ? '' : undefined
  }
  if (Array.isArray(value)) return misfitOfItems(value, schema)
  if (isObject(value)) return misfitOfMembers(value, schema)
  return undefined
}

type Members = Readonly<Record<string, unknown>>

function misfitOfItems(items: readonly unknown[], schema: JsonSchema): string | undefined {
  if (schema.uniqueItems === true && new Set(items).size !== items.length) return ''
  if (schema.items === undefined) return undefined
  for (const [i, item] of items.entries()) {
    const misfit = findMisfit(item, schema.items)
    if (misfit !== undefined) return `/${i}${misfit}`
  }
  return undefined
}

/** Only own members of the schema count, because a body may have a member named `toString`. */
function misfitOfMembers(members: Members, schema: JsonSchema): string | undefined {
  const missing = schema.required?.find((name) => !Object.hasOwn(members, name))
  if (missing !== undefined) return `/${missing}`
  for (const name of Object.keys(members)) {
    const { properties = {} } = schema
    const member = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
    // The name of an unknown member comes from the client and is not repeated.
    if (member === false) return '/*'
    if (member === undefined || member === true) continue
    const misfit = findMisfit(members[name], member)
    if (misfit !== undefined) return `/${name}${misfit}`
  }
  return undefined
}

function hasType(value: unknown, type: JsonType | readonly JsonType[]): boolean {
  if (typeof type !== 'string') return type.some((one) => hasType(value, one))
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

const compiled = new Map<string, RegExp>()

/** Patterns come from schemas in the code, so there are only a few. */
function compile(pattern: string): RegExp {
  let expression = compiled.get(pattern)
  if (expression === undefined) compiled.set(pattern, (expression = new RegExp(pattern)))
  return expression
}
