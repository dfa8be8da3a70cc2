/** The entity-change streams over HTTP, and the capability that publishes. */

import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { closed } from '../../../core/declare/json-schema.ts'
import { eventStream, refusal } from '../../../core/declare/operation.ts'
import { deprecated, integer, list } from '../../../core/declare/settings.ts'
import { parseJson, refuseOtherMembers } from '../../../core/http/json-body.ts'
import { json, type Reply, streamHeaders } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { type Awaitable, isObject } from '../../../core/kernel/values.ts'
import type {} from '../capabilities.ts'
import { largeJson } from '../json-size.ts'
import { limited } from '../operation-parts.ts'
import { ownNames } from '../own-names.ts'
import type { Streams } from '../streams/api.ts'
import { soon } from '../streams/soon.ts'
import type { EntityOperation } from './api.ts'
import { contract } from './contract.ts'
import { encodeLagged, LiveHub, topicPattern } from './hub.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.live': true
  }
}

/** Feature `realtime.live`. */
export const feature: FeatureValue<'realtime.live', never, 'Live' | 'LiveHub'> = defineFeature({
  id: 'realtime.live',
  about: described({
    at: import.meta.url,
    summary: 'Entity-change streams by topic, and publishing to them',
    stability: 'stable',
    since: '0.1.0',
    requires: ['realtime.streams'],
    platform: 'web',
    contract,
  }),
  needs: { LiveBus: 'optional', Streams: 'required' },
  provides: ['Live', 'LiveHub'],
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
    'realtime.bridge_max_bytes': deprecated(
      integer({
        default: 8_388_608,
        min: 1_024,
        unit: 'bytes',
        summary: documented('The same, while a reader of the bridge gets its snapshot.'),
      }),
      documented('Only a reader whose snapshot takes longer than 8 MiB of events is ended; it connects again.'),
    ),
  },
  setup({ settings, get, provide }) {
    const hub = new LiveHub({ soon, ...ownNames(settings), bus: get('LiveBus') })
    provide('Live', hub)
    provide('LiveHub', hub)
    return { hub, streams: get('Streams') }
  },
  routes: (route) => [
    route('GET /api/live', {
      about: described({
        id: 'live',
        summary: 'Server-sent events: every change of every topic in the tenant of the caller, as it happens.',
        answers: { 200: eventStream('Entity changes: topic, identifier, operation, data.'), ...limited },
      }),
      handler: ({ request }, live) => follow(live, request),
    }),
    route('GET /api/live/:topic', {
      about: described({
        id: 'liveTopic',
        summary: 'The same, of one topic.',
        answers: { 200: eventStream('The same, of one topic.'), 404: refusal('not_found'), ...limited },
      }),
      handler: ({ request }, live) => follow(live, request, topicOf(request, live.hub)),
    }),
    route('POST /api/live/:topic', {
      about: described({
        id: 'publishChange',
        summary: 'Publishes a change in the tenant of the caller, who needs the scope live:publish.',
        access: { scopes: ['live:publish'] },
        request: {
          title: 'EntityChange',
          type: 'object',
          required: ['identifier', 'operation', 'data'],
          properties: {
            identifier: { type: 'string' },
            operation: { enum: ['insert', 'update', 'delete'] },
            data: { description: 'Any JSON value.' },
          },
        },
        answers: {
          202: { description: 'Published.', schema: closed('Published', { status: { const: 'accepted' } }) },
          404: refusal('not_found'),
        },
      }),
      body: { type: 'application/json', json: largeJson },
      handler: ({ request }, { hub }) => publish(request, hub),
    }),
  ],
})

/** What requests of readers need. */
interface Readable {
  readonly hub: LiveHub
  readonly streams: Streams
}

/** Opens the stream of a caller once the feed of its tenant is here. */
function follow(live: Readable, request: SvcRequest, topic?: string): Awaitable<Reply> {
  const joined = live.hub.ready(request.identity.tenant)
  return joined === undefined ? open(live, request, topic) : joined.then(() => open(live, request, topic))
}

function open({ hub, streams }: Readable, request: SvcRequest, topic: string | undefined): Reply {
  const { tenant, user, scopes } = request.identity
  const hidden = hub.hiddenFrom(scopes)
  if (topic !== undefined && hidden.has(topic))
    throw httpFail('forbidden', { message: 'The topic needs a scope that the caller lacks.' })
  const admitted = streams.admit(request, { name: 'live', log: false })
  const stream: NonNullable<Reply['stream']> = (sink) => {
    const connection = admitted(sink)
    const feed = hub.feed(tenant)
    feed.attach(connection, {
      from: feed.ring.next,
      ...(topic !== undefined && { topic }),
      hidden,
      user,
      onLag: encodeLagged,
      onDropped: (events) => streams.dropped('live', events),
    })
    connection.onClose(() => hub.leave(tenant))
  }
  return { status: 200, headers: streamHeaders, stream }
}

async function publish(request: SvcRequest, hub: LiveHub): Promise<Reply> {
  const { scopes, tenant } = request.identity
  if (!scopes.includes('live:publish'))
    throw httpFail('forbidden', { message: 'Publishing needs the scope live:publish.' })
  const topic = topicOf(request, hub)
  if (!hub.isOpen(topic)) throw httpFail('forbidden', { message: 'The topic is published by its plugin alone.' })
  const body = parseJson(await request.body())
  if (!isObject(body))
    throw httpFail('malformed_request', { message: 'The body is an object: identifier, operation, data.' })
  refuseOtherMembers(body, ['identifier', 'operation', 'data'])
  const { identifier, operation, data } = body
  if (hub.away) throw httpFail('overloaded', { headers: { 'retry-after': '1' } })
  // The hub checks both, because callers in the process have not checked them.
  hub.publish({ tenant }, { topic, identifier: identifier as string, operation: operation as EntityOperation, data })
  return json(202, { status: 'accepted' })
}

/** The topic in the path of a request. @throws SvcError `not_found` */
function topicOf(request: SvcRequest, hub: LiveHub): string {
  const topic = request.params['topic']!
  if (!hub.has(topic)) throw httpFail('not_found', { message: 'No such topic.' })
  return topic
}
