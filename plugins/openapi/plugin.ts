/** `/openapi.json` on the local surface. */

import { documented } from '../../core/documented.ts'
import type { RouteSpec } from '../../core/http/route.ts'
import { later } from '../../core/later.ts'
import { definePlugin, type Plugin } from '../../core/plugin.ts'

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
    const document = later(() => import('./document.ts'))
    ctx.route(route, async () => {
      const { openApiText } = await document()
      return { status: 200, headers: { 'content-type': 'application/json' }, body: openApiText }
    })
  },
})
