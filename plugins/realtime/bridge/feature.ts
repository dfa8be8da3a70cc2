/** The bridge for embedded local persistence. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { eventStream } from '../../../core/declare/operation.ts'
import { streamHeaders } from '../../../core/http/reply.ts'
import type {} from '../capabilities.ts'
import { limited } from '../operation-parts.ts'
import { bridge } from './bridge.ts'
import { contract } from './contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.bridge': true
  }
}

/** Feature `realtime.bridge`. */
export const feature: FeatureValue<'realtime.bridge'> = defineFeature({
  id: 'realtime.bridge',
  about: described({
    at: import.meta.url,
    summary: 'A snapshot and every change after it, for an embedded store',
    stability: 'stable',
    since: '0.1.0',
    requires: ['realtime.live'],
    platform: 'web',
    contract,
  }),
  needs: { Streams: 'required', LiveHub: 'required' },
  setup: (ctx) => ({ streams: ctx.get('Streams'), hub: ctx.get('LiveHub'), log: ctx.log }),
  routes: (route) => [
    route('GET /api/svc/sync/stream', {
      about: described({
        id: 'bridge',
        summary: 'Server-sent events for an embedded store: what every topic holds, then every change since.',
        answers: { 200: eventStream('What every topic holds, `$svc` `ready`, then changes.'), ...limited },
      }),
      handler: ({ request, identity: { tenant, user, scopes } }, { streams, hub, log }) => {
        const open = streams.admit(request, { name: 'bridge', log: true })
        return {
          status: 200,
          headers: streamHeaders,
          stream: (sink) => {
            const connection = open(sink)
            bridge(connection, hub, { tenant, user, scopes }, (events) => streams.dropped('bridge', events)).catch(
              (error: unknown) => {
                log.error('A snapshot for the bridge failed.', { error })
                connection.end()
              },
            )
          },
        }
      },
    }),
  ],
})
