/**
 * Decides which routes are public. A route is public if it has `auth: 'none'` on an open path of the profile. With
 * `auth: 'handler'` it has no guard either: its handler checks the caller. Only the runtime surface has open paths:
 * those of the routes with `auth: 'none'` in the features that the build knows (`openPathsOf`). Whom the guard lets
 * pass is decided by the plugin that provides the guard.
 */

import { documented } from '../declare/described.ts'
import { kernelFail } from '../kernel/catalogue.ts'
import { type RouteSpec, routeAuths, routeId } from './route.ts'

/** Whether the guard of the surface checks the callers of a route. */
export function isGuarded({ auth }: Pick<RouteSpec, 'auth'>): boolean {
  return auth !== 'none' && auth !== 'handler'
}

/**
 * Checks `auth` of a route of the plugin `owner`. `open` are the paths of its surface that may be public.
 * @throws SvcError `ERR_ROUTE_AUTH`, `ERR_ROUTE_OPEN`
 */
export function checkAuth(owner: string, spec: RouteSpec, open: ReadonlySet<string>): void {
  const id = `${spec.surface} ${routeId(spec)}`
  const auth: string = spec.auth ?? 'guard'
  if (!routeAuths.some((name) => name === auth)) {
    throw kernelFail('ERR_ROUTE_AUTH', {
      message: `"${owner}" declares ${id} with the unknown \`auth\` "${auth}".`,
      hint: documented(
        auth === 'own'
          ? "`own` is now called 'handler'. A handler with it must check the caller by itself."
          : 'Choose guard, handler or none.',
      ),
    })
  }
  if (auth === 'none' && !open.has(spec.path)) {
    throw kernelFail('ERR_ROUTE_OPEN', {
      message: `"${owner}" makes ${id} public, which is no open path.`,
      hint: documented(
        "Only routes of features that the build knows can be public, and only on the runtime surface. Elsewhere write auth: 'handler'.",
      ),
    })
  }
}
