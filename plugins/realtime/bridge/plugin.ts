import { documented } from '../../../core/documented.ts'
import { streamHeaders } from '../../../core/http/event-stream.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../capabilities.ts'
import { bridge } from './bridge.ts'

const route: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/api/svc/sync/stream',
  summary: documented('Server-sent events for an embedded store: what every topic holds, then every change since.'),
}

/** The bridge for embedded local persistence. */
export const plugin: Plugin = definePlugin({
  name: 'realtime.bridge',
  feature: 'realtime.bridge',
  requires: ['Streams', 'LiveHub'],
  routes: [route],
  setup(ctx) {
    const streams = ctx.use('Streams')
    const hub = ctx.use('LiveHub')
    ctx.route(route, (request) => {
      const { tenant, user, scopes } = request.identity
      const open = streams.admit(request, { name: 'bridge', log: true })
      return {
        status: 200,
        headers: streamHeaders,
        stream: (sink) => {
          const connection = open(sink)
          bridge(connection, hub, { tenant, user, scopes }, (events) => streams.dropped('bridge', events)).catch(
            (error: unknown) => {
              ctx.log.error('A snapshot for the bridge failed.', { error })
              connection.end()
            },
          )
        },
      }
    })
  },
})
