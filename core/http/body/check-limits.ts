/** Checks the body limits that routes declare. */
import { kernelFail } from '../../catalogue.ts'
import type { Plugin } from '../../plugin.ts'
import { nearest } from '../../settings/suggest.ts'
import { routeId } from '../route.ts'

/**
 * Checks that the `limit` of each route is a setting with a number, because any other value would let every size pass.
 * @throws SvcError `ERR_ROUTE_LIMIT`
 */
export function checkLimits(plugins: readonly Plugin[], values: Readonly<Record<string, unknown>>): void {
  for (const plugin of plugins) {
    for (const route of plugin.routes ?? []) {
      const key = route.body?.limit
      if (key !== undefined && !(Object.hasOwn(values, key) && typeof values[key] === 'number')) {
        const near = nearest(key, Object.keys(values))
        throw kernelFail('ERR_ROUTE_LIMIT', {
          message: `"${plugin.name}" limits the body of ${routeId(route)} by ${key}, which is not a declared number.`,
          ...(near === undefined ? {} : { hint: `Did you mean ${near}?` }),
        })
      }
    }
  }
}
