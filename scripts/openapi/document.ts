/** Creates the OpenAPI 3.1 document from the route table and the operations. */
import type { JsonSchema } from '../../core/declare/json-schema.ts'
import {
  type AnswerSpec,
  type OperationSpec,
  type Operations,
  refusal,
  retryAfter,
} from '../../core/declare/operation.ts'
import type { RouteSpec } from '../../core/http/route.ts'
import { buildFail } from '../build/errors.ts'
import { matrixFeatures } from '../build/plan/locate-feature.ts'
import { operationsOf, type PlannedFeature, planFeature } from '../build/plan/plan-feature.ts'
import { version } from '../build/version.ts'

/** A JSON value of the document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The routes and operations of one feature. */
export interface DocumentPart {
  readonly id: string
  readonly routes: readonly RouteSpec[]
  /** Requests and answers of the routes, by surface, method and path. */
  readonly operations: Operations
}

/**
 * The document of these features. A route without an operation is listed with the route's own data.
 * @throws SvcError `ERR_PROFILE_INVALID` if an operation has no route
 */
export function openApiDocument(parts: readonly DocumentPart[], version: string): Record<string, Json> {
  const components = new Map<string, Json>()
  const paths: Record<string, Record<string, Json>> = {}
  for (const { id, routes, operations } of parts) {
    const unmatched = new Set(Object.keys(operations))
    for (const route of routes) {
      const key = `${route.surface} ${route.method} ${route.path}`
      unmatched.delete(key)
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      const item = (paths[path] ??= {})
      const method = route.method.toLowerCase()
      const operation = toOperation(route, operations[key] ?? undescribed(key), components)
      // A path that two surfaces have is listed as one operation with both tags.
      item[method] = item[method] === undefined ? operation : merge(item[method] as Members, operation)
    }
    if (unmatched.size > 0) {
      throw buildFail('ERR_PROFILE_INVALID', {
        message: `${id} describes operations that are none of its routes: ${[...unmatched].join(', ')}.`,
        hint:
          'An operation is named by surface, method and path of ' +
          'its route, such as `runtime GET /edge/quote/:number`.',
      })
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version,
      summary: 'The runtime surface and the local sync API.',
      description:
        'Operations tagged `runtime` are served over TCP; those tagged `local` ' +
        'on a Unix socket for the same user, and over loopback TCP where ' +
        'that is switched on; those tagged `peer` to other nodes, over TLS.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The surface that serves the path.' }],
    tags: [
      { name: 'runtime', description: 'Authentication, probes, metrics and streams.' },
      { name: 'local', description: 'Signed pushes and their receipts, boards, the audit chain.' },
      { name: 'peer', description: 'What nodes ask of each other.' },
    ],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A JWT, or a token exchanged for an API key.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        peerKey: {
          type: 'mutualTLS',
          description: 'The Ed25519 key of a peer that was entered, proven by the handshake.',
        },
        localToken: { type: 'http', scheme: 'bearer', description: 'Loopback TCP only: the token of the token file.' },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function undescribed(key: string): OperationSpec {
  const words = key.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return {
    id: words.map((word, n) => (n === 0 ? word : word[0]!.toUpperCase() + word.slice(1).toLowerCase())).join(''),
    answers: { 200: { description: 'Not described.' } },
  }
}

type Members = { readonly [name: string]: Json }

function toOperation(route: RouteSpec, operation: OperationSpec, components: Map<string, Json>): Members {
  const toMedia = (schema: JsonSchema, media = 'application/json'): Json => ({
    [media]: { schema: toSchema(schema, components) },
  })
  const answers = { ...commonRefusals(route), ...operation.answers }
  const parameters = [
    ...[...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name: name!,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(operation.parameters ?? []).map(({ schema, ...rest }) => ({ ...rest, schema: toSchema(schema, components) })),
  ]
  return {
    operationId: operation.id,
    ...(route.summary !== undefined && { summary: route.summary }),
    tags: [route.surface],
    ...(operation.deprecated && { deprecated: true }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.request !== undefined && {
      requestBody: { required: route.body?.optional !== true, content: toMedia(operation.request, route.body?.type) },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, toResponse(answer, toMedia)]),
    ),
  }
}

function toResponse(
  { description, schema, media, headers }: AnswerSpec,
  toMedia: (schema: JsonSchema) => Json,
): Members {
  return {
    description,
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, says]) => [name, { description: says, schema: { type: 'string' } }]),
      ),
    }),
    ...(schema !== undefined && { content: toMedia(schema) }),
    ...(media !== undefined && { content: { [media]: { schema: { type: 'string' } } } }),
  }
}

/** The refusals that every route of this kind can answer. */
export function commonRefusals({ surface, auth, body }: RouteSpec): Record<string, AnswerSpec> {
  const guarded = auth !== 'none'
  return {
    ...(body !== undefined && {
      400: refusal('malformed_json', 'malformed_request'),
      411: refusal('length_required'),
      413: refusal('payload_too_large'),
      415: refusal('unsupported_media_type'),
    }),
    ...(surface === 'runtime' &&
      guarded && {
        401: {
          ...refusal('credential_missing', 'token_*', 'jwks_*', 'api_key_invalid'),
          headers: { 'WWW-Authenticate': 'The challenge.' },
        },
        403: refusal('forbidden'),
        429: refusal('rate_limited'),
        500: refusal('crypto_provider_conflict', 'internal_error'),
        503: refusal('overloaded', 'not_ready'),
      }),
    ...(surface === 'local' && {
      401: {
        ...refusal('credential_missing', 'credential_invalid'),
        headers: { 'WWW-Authenticate': 'The challenge.' },
      },
      403: refusal('transport_forbidden'),
      500: refusal('internal_error'),
    }),
    ...(surface === 'peer' && {
      403: refusal('not_listed', 'transport_forbidden'),
      426: { ...refusal('version_unsupported'), headers: { Upgrade: 'The version that is spoken here.' } },
      429: { ...refusal('rate_limited', 'content_full'), headers: retryAfter },
      500: refusal('internal_error'),
    }),
    ...(!guarded && { 405: refusal('method_not_allowed') }),
  }
}

function securityOf({ surface, auth }: RouteSpec): Json {
  if (auth === 'none') return []
  if (auth === 'handler') return [{ apiKey: [] }, {}]
  if (surface === 'peer') return [{ peerKey: [] }]
  return surface === 'runtime' ? [{ bearer: [] }, { apiKey: [] }] : [{}, { localToken: [] }]
}

function merge(first: Members, second: Members): Members {
  const list = (name: string): readonly Json[] => [first, second].flatMap((one) => one[name] as readonly Json[])
  const responses = { ...(second['responses'] as Responses) }
  for (const [status, response] of Object.entries(first['responses'] as Responses))
    responses[status] = mergeResponses(response, responses[status])
  // An operation without a check of the caller has an empty list, and stays without one.
  const open = [first, second].some(({ security }) => (security as readonly Json[]).length === 0)
  return { ...first, tags: list('tags'), security: open ? first['security']! : list('security'), responses }
}

type Responses = Record<string, Members>

/** One answer of two surfaces: the codes and the headers of both. */
function mergeResponses(first: Members, second: Members | undefined): Members {
  if (second === undefined) return first
  const codes = [first, second].map(({ description }) => String(description).split(', '))
  const isRefusal = codes.flat().every((code) => /^`[\w*]+`$/.test(code))
  const headers = { ...(second['headers'] as Members | undefined), ...(first['headers'] as Members | undefined) }
  return {
    ...first,
    ...(isRefusal && { description: [...new Set(codes.flat())].join(', ') }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/** Moves the titled parts of a schema to the components. */
function toSchema(schema: JsonSchema, components: Map<string, Json>): Json {
  const { title, ...rest } = schema
  const members: Record<string, Json> = {}
  for (const [key, value] of Object.entries(rest)) members[key] = toPart(key, value, components)
  if (title === undefined) return members
  const namesake = components.get(title)
  if (namesake !== undefined && JSON.stringify(namesake) !== JSON.stringify({ title, ...members }))
    throw new Error(`Two schemas are called ${title}.`)
  components.set(title, { title, ...members })
  return { $ref: `#/components/schemas/${title}` }
}

function toPart(key: string, value: unknown, components: Map<string, Json>): Json {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, part]) => [name, toSchema(part, components)]),
    )
  if (key === 'anyOf') return (value as JsonSchema[]).map((part) => toSchema(part, components))
  if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object'))
    return toSchema(value as JsonSchema, components)
  return value as Json
}

/** The document of the matrix, which is checked in. */
export async function openApiText(): Promise<string> {
  const features = Object.entries(matrixFeatures).map(([id, feature]) => {
    const { plugin } = feature
    return planFeature(id, typeof plugin === 'object' ? Object.keys(plugin)[0]! : true, feature)
  })
  return openApiTextOf(await Promise.all(features))
}

/**
 * The document of a list of features.
 * @throws SvcError `ERR_PROFILE_INVALID`
 */
export async function openApiTextOf(features: readonly PlannedFeature[]): Promise<string> {
  const parts = await Promise.all(features.map((planned) => partOf(planned)))
  return `${JSON.stringify(openApiDocument(parts, version), null, 2)}\n`
}

async function partOf({ id, feature, plugin }: PlannedFeature): Promise<DocumentPart> {
  return { id, routes: plugin?.routes ?? [], operations: operationsOf(feature) }
}
