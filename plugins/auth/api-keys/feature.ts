/** API keys of callers. The variants differ in where keys are hashed. */

import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { type Gauge, gauge } from '../../../core/declare/metric.ts'
import type { PluginContext } from '../../../core/declare/plugin.ts'
import { watchEndings } from '../../../core/kernel/endings.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type {} from '../capabilities.ts'
import { keyCredentialId } from '../credential-ids.ts'
import { contract } from './contract.ts'
import { createApiKeys, createHashing, createVerifier, type KeysPlatform, toLimits } from './create-parts.ts'
import { compilesWasm } from './hashing/compiles-wasm.ts'
import { createKeyIdentities } from './key-identity.ts'
import { createKeyService } from './managing/key-service.ts'
import { keyRoutes } from './routes.ts'
import { keySettings } from './settings.ts'
import { createOwnKeyStore } from './store/all-keys.ts'
import { isKeyRevoked, withRevokedUsers } from './store/revoked-keys.ts'

declare const __PROGRAM__: boolean

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.api-keys': 'in-place' | 'threads'
  }
}

/** Feature `auth.api-keys`. */
export const feature: FeatureValue<'auth.api-keys', KeysPlatform, 'ApiKeys'> = defineFeature({
  id: 'auth.api-keys',
  name: 'auth.api_keys',
  about: described({
    at: import.meta.url,
    summary: 'API keys: created, listed and revoked by their owners, kept as Argon2id hashes',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.guard'],
    platform: { 'in-place': 'web', threads: 'node' },
    variants: {
      'in-place': () => import('./in-place.ts'),
      threads: () => import('./threads.ts'),
    },
    packages: ['hash-wasm', '@noble/hashes'],
    uses: { 'in-place': ['wasm'], threads: ['wasm', 'worker'] },
    contract,
  }),
  needs: { Authentication: 'required', Delegation: 'required', KeyStore: 'optional', RevokedUsers: 'optional' },
  provides: ['ApiKeys'],
  settings: keySettings,
  metrics: {
    ending: gauge('svc_api_keys_ending', { unit: 'keys', help: 'API keys that end within 14 days.' }),
  },
  setup(ctx) {
    const { settings, random, clock, log } = ctx
    const authentication = ctx.get('Authentication')
    const delegation = ctx.get('Delegation')
    const revoked = ctx.get('RevokedUsers')
    const store = withRevokedUsers(ctx.get('KeyStore') ?? createOwnKeyStore(clock), revoked)
    const hashing = createHashing(settings, ctx.variant, random)
    const announceRevoked = (id: string): void => authentication.announceRevoked(keyCredentialId(id))
    store.onRevoked?.(announceRevoked)

    const { verify } = createVerifier(settings, { ...hashing, store, clock, random }, (error) =>
      log.warn('A use of an API key could not be noted.', { error }),
    )
    const toIdentity = createKeyIdentities((identity, record) => {
      if (revoked !== undefined) authentication.watch(identity, () => isKeyRevoked(record, revoked))
    })
    authentication.onKey((text, request) => {
      const record = verify(text, request)
      return record instanceof Promise ? record.then(toIdentity) : toIdentity(record)
    })
    const service = createKeyService({
      ...hashing,
      ...toLimits(settings),
      store,
      revoked,
      random: random.bytes,
      now: clock.now,
      onCreated: store.durable ? () => {} : warnOfLoss(log),
      onRevoked: announceRevoked,
    })
    ctx.provide('ApiKeys', createApiKeys(store, service, verify, clock.now))
    ctx.onStart(async () => {
      if (await compilesWasm()) return
      log.warn(
        'This platform compiles no WebAssembly: API keys are hashed in JavaScript, which takes five times as long.',
      )
    })
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
      watchKeys(ctx, async (untilMs) =>
        ((await store.ending?.(clock.now(), untilMs)) ?? []).map((key) => ({
          id: key.id,
          endsAtMs: key.expiresAtMs,
        })),
      )
    ctx.onStop(() => hashing.hasher.close())
    return { service, store, delegation }
  },
  routes: keyRoutes,
})

/** Reports keys that end soon. A library has no timers of its own. */
function watchKeys(
  { clock, log, metrics, onReady, onStop }: WatchContext,
  find: Parameters<typeof watchEndings>[0]['find'],
): void {
  let stop = (): void => {}
  onReady(() => {
    const message = 'API keys end within 14 days. Make others in time, and give them to their users.'
    stop = watchEndings({ clock, log, gauge: metrics.ending, message, find })
  })
  onStop(() => stop())
}

type WatchContext = Pick<PluginContext, 'clock' | 'log' | 'onReady' | 'onStop'> & {
  readonly metrics: { readonly ending: Gauge }
}

/** Creates a function that warns at its first call, which is when the first key could be lost. */
function warnOfLoss(log: Logger): () => void {
  let warned = false
  return () => {
    if (!warned) log.warn('API keys are kept in memory: they are gone with the next restart.')
    warned = true
  }
}
