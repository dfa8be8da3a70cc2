/** `/openapi.json` on the local surface. */

import { documented } from '../../core/documented.ts'
import type { RouteSpec } from '../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../core/plugin.ts'
import { openApiText } from './document.ts'

const route: RouteSpec = {
  surface: 'local',
  method: 'GET',
  path: '/openapi.json',
  summary: documented('The OpenAPI 3.1 contract of both surfaces.'),
}

/** Feature `openapi`. */
export const plugin: Plugin = definePlugin({
  name: 'openapi',
  feature: 'openapi',
  routes: [route],
  setup(ctx) {
    const reply = { status: 200, headers: { 'content-type': 'application/json' }, body: openApiText }
    ctx.route(route, () => reply)
  },
})
