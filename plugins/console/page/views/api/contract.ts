/** The parts of the OpenAPI contract that the page shows, as a list of operations. */

/** A JSON Schema, with the keywords that the contract uses. */
export interface ContractSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, ContractSchema>>
  readonly required?: readonly string[]
  readonly items?: ContractSchema
  readonly anyOf?: readonly ContractSchema[]
  readonly oneOf?: readonly ContractSchema[]
}

interface Content {
  readonly schema?: ContractSchema
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: ContractSchema
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
  readonly components: { readonly schemas: Readonly<Record<string, ContractSchema>> }
}

/** The surfaces of the contract. The console cannot call the surface `peer`, which only other nodes call. */
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

/** Resolves a schema that is a reference. Returns any other schema unchanged. */
export function resolved({ components }: OpenApi, schema: ContractSchema): ContractSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

/** The path of a request with its parameters. An empty parameter of the query is left out. */
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

/** A first value for a request body: the required members of a schema, each with an empty value of its type. */
export function exampleOf(contract: OpenApi, schema: ContractSchema, depth: number = 0): unknown {
  const {
    type,
    enum: values,
    const: constant,
    properties = {},
    required = [],
    anyOf,
    oneOf,
  } = resolved(contract, schema)
  if (constant !== undefined) return constant
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
