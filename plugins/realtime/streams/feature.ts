/** Maintains all event streams of the process: limits, heartbeats, ages, credentials, and their end at a stop. */

import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { counter, gauge } from '../../../core/declare/metric.ts'
import { decimal, deprecated, integer } from '../../../core/declare/settings.ts'
import { clientAddress, type IsTrusted, networkOf, toIsTrusted } from '../../../core/http/client-address.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { serverSettings } from '../../../core/kernel/settings/server.ts'
import type { Delegation, Revocations } from '../../auth/api.ts'
import type {} from '../../auth/capabilities.ts'
import type {} from '../capabilities.ts'
import { ownNames } from '../own-names.ts'
import { contract } from './contract.ts'
import { Keeper, type StreamOwner } from './keeper.ts'

declare const __REALTIME_AGENTS__: boolean

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.streams': true
  }
}

/** Feature `realtime.streams`. */
export const feature: FeatureValue<'realtime.streams', never, 'Streams'> = defineFeature({
  id: 'realtime.streams',
  about: described({
    at: import.meta.url,
    summary: 'What all event streams share: limits, heartbeats, ages, the end with a credential',
    stability: 'stable',
    since: '0.1.0',
    platform: 'web',
    contract,
  }),
  needs: { Delegation: 'optional', Revocations: 'optional', Tracing: 'optional' },
  provides: ['Streams'],
  metrics: {
    connections: gauge('svc_sse_connections', {
      unit: 'connections',
      help: 'Event streams that are open now.',
      labels: ['stream'],
    }),
    dropped: counter('svc_sse_dropped_events_total', {
      unit: 'events',
      help: 'Events that were dropped because a reader of a stream was too slow.',
      labels: ['stream'],
    }),
  },
  settings: {
    'server.trusted_proxies': serverSettings['server.trusted_proxies'],
    'realtime.heartbeat_ms': integer({
      default: 15_000,
      min: 20,
      unit: 'ms',
      summary: documented('Time between heartbeat comments on a stream.'),
    }),
    'realtime.retry_ms': integer({
      default: 1_000,
      unit: 'ms',
      summary: documented('The `retry` of each stream: how long a native EventSource waits before it connects again.'),
    }),
    'realtime.max_age_ms': integer({
      default: 1_800_000,
      min: 20,
      unit: 'ms',
      summary: documented('Age at which a stream is ended, so that connections spread over servers anew.'),
    }),
    'realtime.max_age_jitter': deprecated(
      decimal({
        default: 0.2,
        min: 0,
        max: 1,
        summary: documented('Share by which the age of a stream differs at random, either way.'),
      }),
      documented('A fifth spreads connections over minutes, which is all that is asked of it.'),
    ),
    'realtime.stall_ms': deprecated(
      integer({
        default: 30_000,
        min: 20,
        unit: 'ms',
        summary: documented('How long a reader of a logged stream may stand still before it is cut.'),
      }),
      documented('A reader that takes nothing for half a minute is gone, and comes back where it was.'),
    ),
    'realtime.max_streams_per_identity': integer({
      default: 32,
      min: 1,
      summary: documented('Open streams of one identity; anonymous callers count by IPv4 address or IPv6 /64.'),
    }),
    'realtime.max_streams': integer({ default: 10_000, min: 1, summary: documented('Open streams of the process.') }),
    'realtime.streams_tenant_share': decimal({
      default: 0.5,
      min: 0,
      max: 1,
      summary: documented('Share of them that one tenant may have; callers without a tenant count as one.'),
    }),
  },
  setup({ settings, metrics, clock, random, ...ctx }) {
    const isTrusted = toIsTrusted(settings['server.trusted_proxies'])
    const tracing = ctx.get('Tracing')
    const revocations = ctx.get('Revocations')
    const delegation = ctx.get('Delegation')
    const keeper = new Keeper({
      clock,
      random: () => random.bytes(4).reduce((sum, byte) => (sum + byte) / 256, 0),
      ...ownNames(settings),
      actingKeyShare: delegation?.actingKeyShare ?? 1,
      ownerOf: (request) => ownerOf(request, { isTrusted, revocations, delegation }),
      onCount: (stream, change) => {
        metrics.connections.move({ stream }, change)
        if (change > 0) metrics.dropped.begin({ stream })
      },
      onDropped: (stream, events) => metrics.dropped.add({ stream }, events),
      ...(tracing !== undefined && {
        onOpen: (stream, trace) => {
          const span = tracing.start(`stream ${stream}`, trace)
          return () => span.end()
        },
      }),
    })
    const forget = [revocations?.onRevoked((id) => keeper.revoke(id)), revocations?.onChanged(() => keeper.judge())]
    ctx.provide('Streams', keeper)
    ctx.onDrain(() => keeper.drain())
    ctx.onStop(() => {
      if (typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__) keeper.drain(true)
      for (const end of forget) end?.()
    })
  },
})

/** What the owner of a stream is read with. */
interface OwnerParts {
  readonly isTrusted: IsTrusted
  readonly revocations: Pick<Revocations, 'isRevoked'> | undefined
  readonly delegation: Pick<Delegation, 'actingKey'> | undefined
}

function ownerOf(request: SvcRequest, { isTrusted, revocations, delegation }: OwnerParts): StreamOwner {
  const { identity } = request
  const { kind, user, tenant, credential } = identity
  // All callers on the local socket are the same person, so no limit per identity protects one from another.
  const key =
    kind === 'local'
      ? null
      : JSON.stringify(kind === 'user' ? [tenant, user] : [networkOf(clientAddress(request, isTrusted))])
  const { id = null, signedBy } = credential ?? {}
  return {
    key,
    tenant,
    credentialId: id,
    signedBy,
    // Read anew at each sweep, because a key that is replaced ends earlier.
    get expiresAtMs() {
      return credential?.expiresAtMs ?? null
    },
    actingKey: delegation?.actingKey(identity) ?? null,
    ...(revocations !== undefined && { isRevoked: () => revocations.isRevoked(identity) }),
  }
}
