/**
 * A route as one value: its path, who may call it, what it takes, its answers for the documentation, and its handler.
 */

import type { Identity } from '../http/identity.ts'
import { checkShape, readJson, type Schema } from '../http/json-body.ts'
import { readQuery } from '../http/query.ts'
import type { Reply } from '../http/reply.ts'
import type { SvcRequest } from '../http/request.ts'
import { type BodySpec, type RouteSpec, type SurfaceName, surfaceNames } from '../http/route.ts'
import type { Awaitable } from '../kernel/values.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnswerSpec, OperationSpec } from './operation.ts'

declare const __SCHEMAS__: boolean

type Method = RouteSpec['method']

/**
 * Method and path, such as `GET /edge/quote/:number`; a surface other than `runtime` comes first:
 * `local GET /openapi.json`.
 */
export type RouteText = `${Method} /${string}` | `${SurfaceName} ${Method} /${string}`

type Names<Text extends string> = Text extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Names<More>
    : Rest
  : never

/** The path parameters of such a text: `{ number: string }`. */
export type ParamsOf<Text extends string> = { readonly [Name in Names<Text>]: string }

/** One answer. Its body has a JSON Schema, or a Standard Schema. */
export interface AnswerAbout extends Omit<AnswerSpec, 'schema'> {
  readonly schema?: JsonSchema | Schema<unknown>
}

/** For readers and OpenAPI, in `described`. */
export interface RouteAbout extends Omit<OperationSpec, 'answers'> {
  /** One line for the documentation. */
  readonly summary: string
  /**
   * By status. Errors that every route of its kind can give are not listed. Tests compare each answer with its entry.
   */
  readonly answers: Readonly<Record<number, AnswerAbout>>
  /** The meaning of each query parameter, by name. */
  readonly query?: Readonly<Record<string, string>>
}

/** A JSON body with a schema, and with other limits than the usual ones. */
export interface JsonBody<B> extends Pick<BodySpec, 'limit' | 'maxBytes' | 'json'> {
  readonly schema: Schema<B>
}

/** What a handler gets: the parts of a request that the route declares, validated. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  /** The path parameters, decoded. */
  readonly params: P
  /** The query as `query` of the route describes it; undefined without a schema. */
  readonly query: Q
  /** The JSON body as `body` of the route describes it; undefined without a schema. */
  readonly body: B
  /** The caller. Anonymous on routes that are not guarded. */
  readonly identity: Identity
  /** The request itself: headers, the signal of a client that goes away, the bytes of a body without a schema. */
  readonly request: SvcRequest
}

/** The parts of a route. `State` is what `setup` of the feature returned. */
export interface RouteDefinition<P, Q, B, State> extends Pick<RouteSpec, 'auth' | 'exposes'> {
  readonly about?: RouteAbout | undefined
  /** Validates the path parameters. Without it each is a text. */
  readonly params?: Schema<P>
  /** Validates the query. A repeated parameter is 400 `malformed_request`, unless its shape is a list. */
  readonly query?: Schema<Q>
  /** A schema: the body is JSON of this shape. A media type: the handler reads the bytes. */
  readonly body?: Schema<B> | JsonBody<B> | BodySpec
  /** Checks that precede the body, such as scopes. Throws a refusal. */
  readonly admit?: (call: Call<P, Q, undefined>, state: State) => Awaitable<void>
  readonly handler: (call: Call<P, Q, B>, state: State) => Awaitable<Reply>
}

/** A route of a feature. */
export interface RouteValue<State = never> {
  readonly about: RouteAbout | undefined
  readonly spec: RouteSpec
  /** Its schemas. The body's is that of a JSON body. */
  readonly shapes?: RouteShapes
  readonly handler: (request: SvcRequest, state: State) => Awaitable<Reply>
}

/** The schemas of a route. */
export interface RouteShapes {
  readonly params?: Schema<unknown> | undefined
  readonly query?: Schema<unknown> | undefined
  readonly body?: Schema<unknown> | undefined
}

/** Makes a route. A parameter of `routes`, because only the feature has the type of its state. */
export type RouteMaker<State> = <const Text extends RouteText, P = ParamsOf<Text>, Q = undefined, B = undefined>(
  text: Text,
  definition: RouteDefinition<P, Q, B, State>,
) => RouteValue<State>

/** Makes a route of any feature. */
export function toRoute<P, Q, B, State>(
  text: RouteText,
  definition: RouteDefinition<P, Q, B, State>,
): RouteValue<State> {
  const { about, handler, admit, params, query, body, ...rest } = definition
  const words = text.split(' ')
  const path = words.pop() as string
  const method = words.pop() as Method
  const surface = surfaceNames.find((name) => name === words[0]) ?? 'runtime'
  const spec = { surface, method, path, ...rest, summary: about?.summary }
  if (typeof __SCHEMAS__ === 'undefined' || __SCHEMAS__) {
    const { schema, spec: ofBody } = bodyOf(body)
    if ((params ?? query ?? schema) !== undefined)
      return {
        about,
        spec: ofBody === undefined ? spec : { ...spec, body: ofBody },
        shapes: { params, query, body: schema },
        async handler(request, state) {
          const call = {
            request,
            params: (params === undefined ? request.params : checkShape(request.params, params, 'path')) as P,
            query: (query === undefined ? undefined : readQuery(request.query, query)) as Q,
            identity: request.identity,
          }
          await admit?.({ ...call, body: undefined }, state)
          const value = (schema && (await readJson(request, schema))) as B
          // The guard may have run again while the body arrived.
          return handler({ ...call, body: value, identity: request.identity }, state)
        },
      }
  }
  return {
    about,
    spec: body === undefined ? spec : { ...spec, body: body as BodySpec },
    handler: (request, state) => {
      const call = { request, params: request.params, identity: request.identity } as unknown as Call<P, Q, B>
      const admitted = admit?.(call as Call<P, Q, undefined>, state)
      return admitted === undefined ? handler(call, state) : admitted.then(() => handler(call, state))
    },
  }
}

/** The schema of a body, and what the kernel checks before it is read. */
function bodyOf<B>(body: RouteDefinition<unknown, unknown, B, unknown>['body']): {
  readonly schema?: Schema<B>
  readonly spec?: BodySpec
} {
  if (body === undefined) return {}
  if ('~standard' in body) return { schema: body, spec: { type: 'application/json' } }
  if ('type' in body) return { spec: body }
  const { schema, ...limits } = body
  return { schema, spec: { ...limits, type: 'application/json' } }
}

/** The name of a route among the operations of its feature: `runtime GET /health`. */
export function operationKey({ surface, method, path }: RouteSpec): string {
  return `${surface} ${method} ${path}`
}
