import type { Awaitable } from '../../../core/awaitable.ts'
import { httpFail } from '../../../core/catalogue.ts'
import { documented } from '../../../core/documented.ts'
import { parseJson, refuseOtherMembers } from '../../../core/http/body/json-body.ts'
import { streamHeaders } from '../../../core/http/event-stream.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { isObject } from '../../../core/is-object.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { integer, list } from '../../../core/settings/kinds.ts'
import type { EntityOperation } from '../api.ts'
import type {} from '../capabilities.ts'
import { largeJson } from '../large-json.ts'
import { ownNames } from '../own-names.ts'
import { soon } from '../streams/soon.ts'
import { encodeLagged, LiveHub, topicPattern } from './hub.ts'

declare const __CLUSTER_NATS__: boolean

const shared: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/api/live',
  summary: documented('Server-sent events: every change of every topic in the tenant of the caller, as it happens.'),
}
const single: RouteSpec = { ...shared, path: '/api/live/:topic', summary: documented('The same, of one topic.') }
const publish: RouteSpec = {
  surface: 'runtime',
  method: 'POST',
  path: '/api/live/:topic',
  body: { type: 'application/json', json: largeJson },
  summary: documented('Publishes a change in the tenant of the caller, who needs the scope live:publish.'),
}

/** The entity-change streams over HTTP, and the capability that publishes. */
export const plugin: Plugin = definePlugin({
  name: 'realtime.live',
  feature: 'realtime.live',
  requires: ['Streams'],
  wants: ['LiveBus'],
  provides: ['Live', 'LiveHub'],
  routes: [shared, single, publish],
  settings: {
    'realtime.topics': list({
      default: [],
      pattern: topicPattern,
      expected: 'a list of topics: a lower-case letter, then up to 63 of a-z 0-9 _ . -',
      summary: documented('Topics to enrol beside those of plugins.'),
    }),
    'realtime.max_event_bytes': integer({
      default: 262_144,
      min: 256,
      unit: 'bytes',
      summary: documented('Largest entity event.'),
    }),
    'realtime.live_max_events': integer({
      default: 1_024,
      min: 1,
      summary: documented('Events held for readers of a tenant that are behind; further ones are skipped.'),
    }),
    'realtime.live_max_bytes': integer({
      default: 524_288,
      min: 1_024,
      unit: 'bytes',
      summary: documented('The same, in bytes.'),
    }),
    'realtime.bridge_max_bytes': integer({
      default: 8_388_608,
      min: 1_024,
      unit: 'bytes',
      summary: documented('The same, while a reader of the bridge gets its snapshot.'),
    }),
  },
  setup({ settings, ...ctx }) {
    const streams = ctx.use('Streams')
    const hub = new LiveHub({
      soon,
      ...ownNames(settings),
      bus: ctx.find('LiveBus'),
      clock: ctx.clock,
    })
    ctx.provide('Live', hub)
    ctx.provide('LiveHub', hub)

    const onDropped = (events: number): void => streams.dropped('live', events)
    const reply = (request: SvcRequest, topic?: string): Reply => {
      const { tenant, user, scopes } = request.identity
      const hidden = hub.hiddenFrom(scopes)
      if (topic !== undefined && hidden.has(topic))
        throw httpFail('forbidden', { message: 'The topic needs a scope that the caller lacks.' })
      const open = streams.admit(request, { name: 'live', log: false })
      const stream: NonNullable<Reply['stream']> = (sink) => {
        const connection = open(sink)
        const feed = hub.feed(tenant)
        feed.attach(connection, {
          from: feed.ring.next,
          ...(topic !== undefined && { topic }),
          hidden,
          user,
          onLag: encodeLagged,
          onDropped,
        })
        connection.onClose(() => hub.leave(tenant))
      }
      return { status: 200, headers: streamHeaders, stream }
    }
    const follow = (request: SvcRequest, topic?: string): Awaitable<Reply> => {
      if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__) {
        const joined = hub.ready(request.identity.tenant)
        if (joined !== undefined) return joined.then(() => reply(request, topic))
      }
      return reply(request, topic)
    }
    const topicOf = (request: SvcRequest): string => {
      const topic = request.params['topic']!
      if (!hub.has(topic)) throw httpFail('not_found', { message: 'No such topic.' })
      return topic
    }

    ctx.route(shared, (request) => follow(request))
    ctx.route(single, (request) => follow(request, topicOf(request)))
    ctx.route(publish, async (request) => {
      const { scopes, tenant } = request.identity
      if (!scopes.includes('live:publish'))
        throw httpFail('forbidden', { message: 'Publishing needs the scope live:publish.' })
      const topic = topicOf(request)
      if (!hub.isOpen(topic)) throw httpFail('forbidden', { message: 'The topic is published by its plugin alone.' })
      const body = parseJson(await request.body())
      if (!isObject(body))
        throw httpFail('malformed_request', { message: 'The body is an object: identifier, operation, data.' })
      refuseOtherMembers(body, ['identifier', 'operation', 'data'])
      const { identifier, operation, data } = body
      if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__)
        if (hub.away) throw httpFail('overloaded', { headers: { 'retry-after': '1' } })
      // The hub checks both, because callers in the process have not checked them.
      hub.publish(
        { tenant },
        { topic, identifier: identifier as string, operation: operation as EntityOperation, data },
      )
      return json(202, { status: 'accepted' })
    })
  },
})
