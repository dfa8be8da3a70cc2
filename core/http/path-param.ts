/** Parameters of the path of a request. */
import type { SvcRequest } from './request.ts'

/** A parameter of the path, such as `id` of `/cards/{id}`. @throws Error if the route has no such parameter */
export function pathParam({ params }: Pick<SvcRequest, 'params'>, name: string): string {
  const value = params[name]
  if (value === undefined) throw new Error(`The route has no parameter ${name}.`)
  return value
}
