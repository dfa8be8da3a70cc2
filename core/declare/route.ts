/** A route as one value: its path, who may call it, its answers for the documentation, and its handler. */
import type { Awaitable } from '../awaitable.ts'
import type { Reply } from '../http/reply.ts'
import type { SvcRequest } from '../http/request.ts'
import { type RouteSpec, type SurfaceName, surfaceNames } from '../http/route.ts'
import type { OperationSpec } from '../operation.ts'

type Method = RouteSpec['method']

/** Method and path, such as `GET /edge/quote/:number`; a surface other than `runtime` comes first: `local GET /openapi.json`. */
export type RouteText = `${Method} /${string}` | `${SurfaceName} ${Method} /${string}`

/** For readers and OpenAPI, in `described`. */
export interface RouteAbout extends OperationSpec {
  /** One line for the documentation. */
  readonly summary: string
}

/** The parts of a route. `State` is what `setup` of the feature returned. */
export interface RouteDefinition<State> extends Pick<RouteSpec, 'auth' | 'body' | 'exposes'> {
  readonly about: RouteAbout | undefined
  readonly handler: (request: SvcRequest, state: State) => Awaitable<Reply>
}

/** A route of a feature. */
export interface RouteValue<State = never> {
  readonly spec: RouteSpec
  readonly about: RouteAbout | undefined
  readonly handler: (request: SvcRequest, state: State) => Awaitable<Reply>
}

/** Makes a route. A parameter of `routes`, because only the feature has the type of its state. */
export type RouteMaker<State> = (text: RouteText, definition: RouteDefinition<State>) => RouteValue<State>

/** Makes a route of any feature. */
export function toRoute<State>(text: RouteText, definition: RouteDefinition<State>): RouteValue<State> {
  const { about, handler, ...rest } = definition
  const words = text.split(' ')
  const path = words.pop() as string
  const method = words.pop() as Method
  const surface = surfaceNames.find((name) => name === words[0]) ?? 'runtime'
  return { spec: { surface, method, path, ...rest, summary: about?.summary }, about, handler }
}

/** The name of a route among the operations of its feature: `runtime GET /health`. */
export function operationKey({ surface, method, path }: RouteSpec): string {
  return `${surface} ${method} ${path}`
}
