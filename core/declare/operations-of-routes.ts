/** What the routes of a feature say to OpenAPI. Only the toolkit reads it, and no bundle contains this module. */
import type { Schema } from '../http/json-body.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnswerSpec, OperationSpec, Operations, ParameterSpec } from './operation.ts'
import { type AnswerAbout, operationKey, type RouteValue } from './route.ts'

/** The operations of a feature by surface, method and path, with each Standard Schema as JSON Schema. */
export function operationsOfRoutes(routes: readonly RouteValue<never>[]): Operations {
  return Object.fromEntries(
    routes.flatMap((route) => (route.about === undefined ? [] : [[operationKey(route.spec), toOperation(route)]])),
  )
}

function toOperation({ about, shapes: { query, body: schema } = {} }: RouteValue<never>): OperationSpec {
  const { summary: _, query: meanings = {}, answers, request, parameters = [], ...rest } = about!
  const body = request ?? (schema === undefined ? undefined : toJsonSchema(schema))
  const ofQuery = query === undefined ? [] : parametersOf(toJsonSchema(query), meanings)
  const all = [...parameters, ...ofQuery]
  return {
    ...rest,
    ...(body !== undefined && { request: body }),
    ...(all.length > 0 && { parameters: all }),
    answers: Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, toAnswer(one)])),
  }
}

function toAnswer({ schema, ...rest }: AnswerAbout): AnswerSpec {
  if (schema === undefined) return rest
  return { ...rest, schema: isStandard(schema) ? toJsonSchema(schema) : schema }
}

/**
 * The parameters that a schema has, and those that only have a meaning, because a schema need not offer a JSON Schema.
 */
function parametersOf(
  { properties = {}, required = [] }: JsonSchema,
  meanings: Readonly<Record<string, string>>,
): ParameterSpec[] {
  return [...new Set([...Object.keys(properties), ...Object.keys(meanings)])].map((name) => {
    const { description = '', ...schema } = properties[name] ?? { type: 'string' as const }
    return {
      name,
      in: 'query',
      description: meanings[name] ?? description,
      ...(required.includes(name) && { required: true }),
      schema,
    }
  })
}

/** Whether a schema is a Standard Schema. Some libraries make functions. */
export function isStandard(schema: JsonSchema | Schema<unknown>): schema is Schema<unknown> {
  return '~standard' in schema
}

/** A schema that offers its JSON Schema (Standard JSON Schema 1.0). */
interface Convertible {
  readonly jsonSchema?: { input(options: { readonly target: string }): Readonly<Record<string, unknown>> }
}

/** The JSON Schema of what a schema takes; one that allows every value, if its library offers none. */
function toJsonSchema(schema: Schema<unknown>): JsonSchema {
  const { $schema: _, ...rest } =
    (schema['~standard'] as Convertible).jsonSchema?.input({ target: 'draft-2020-12' }) ?? {}
  return rest as JsonSchema
}
