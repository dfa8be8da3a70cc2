/** The part of JSON Schema (2020-12) that this project uses. */

/** One schema. */
export interface JsonSchema {
  readonly title?: string
  readonly description?: string | undefined
  readonly type?: JsonType | readonly JsonType[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  /** In characters. */
  readonly maxLength?: number
  readonly default?: string | number
  readonly items?: JsonSchema
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  /** False forbids other members; a schema describes the values of other members. */
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/** A JSON type; `integer` is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'object' | 'array' | 'null' | 'boolean'

/** A schema of one type, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema.type as JsonType, 'null'] }
}

/**
 * An object with exactly these members.
 *
 * @example
 * ```ts
 * import { closed } from 'svc/plugin'
 *
 * const quote = closed('Quote', { author: { type: 'string' }, text: { type: 'string' } })
 * quote.required // → ['author', 'text']
 * ```
 */
export function closed(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', required: Object.keys(properties), additionalProperties: false, properties }
}
