/** The OpenAPI contract as a list of operations, as far as the page shows it. */

/** A JSON Schema, as the contract uses them. */
export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Content {
  readonly schema?: Schema
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface OperationObject {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >
}

/** `openapi.json`. */
export interface OpenApi {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The surfaces that the console reaches; peers are reached by nodes alone. */
export type Surface = 'runtime' | 'local' | 'peer'

/** One operation. */
export interface Operation extends OperationObject {
  /** Unique: method and path. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly surfaces: readonly Surface[]
}

/** All operations, in the order of the contract. */
export function operationsOf({ paths }: OpenApi): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      id: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      surfaces: (operation.tags ?? []) as readonly Surface[],
    })),
  )
}

/** The schema that a reference names, and any other schema itself. */
export function resolved({ components }: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

/** The path of a request, with its parameters filled in. A parameter of the query that is empty is left out. */
export function requestPath(operation: Operation, values: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams()
  for (const { name, in: where } of operation.parameters ?? []) {
    const value = values[name] ?? ''
    if (where === 'query' && value !== '') query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** A value to begin a request body with: the required members of a schema, each with an empty value of its type. */
export function exampleOf(contract: OpenApi, schema: Schema, depth: number = 0): unknown {
  const { type, enum: values, const: only, properties = {}, required = [], anyOf, oneOf } = resolved(contract, schema)
  if (only !== undefined) return only
  if (values !== undefined) return values[0]
  const alternative = (anyOf ?? oneOf)?.[0]
  if (alternative !== undefined) return exampleOf(contract, alternative, depth)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return depth > 3
        ? {}
        : Object.fromEntries(required.map((name) => [name, exampleOf(contract, properties[name] ?? {}, depth + 1)]))
    case 'array':
      return []
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'string':
      return ''
    default:
      return null
  }
}
