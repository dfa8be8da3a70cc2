import { clientAddress } from '../../../core/http/client-address.ts'
import { toIsTrusted } from '../../../core/http/trusted-proxies.ts'
import type { Identity } from '../../../core/identity.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../capabilities.ts'
import { compilesWasm } from './hashing/compiles-wasm.ts'
import { createHashQueue } from './hashing/hash-queue.ts'
import type { CreateHasher } from './hashing/hasher.ts'
import { createKeyService, keyCredentialId } from './managing/key-service.ts'
import { keyRoutes } from './routes.ts'
import { keySettings } from './settings.ts'
import { isLive, type KeyRecord } from './store/key-store.ts'
import { createMemoryKeyStore } from './store/memory-store.ts'
import { createFailureLimit, toNetwork } from './verifying/failure-limit.ts'
import { createKeyVerifier } from './verifying/key-verifier.ts'

const DAY_MS = 86_400_000

/** What the feature takes from a platform. */
export interface KeysPlatform {
  readonly createHasher: CreateHasher
  /** How many hashes its hasher runs at a time, at most. */
  readonly maxParallel: number
}

/** Makes the feature for a platform. */
export function createKeysPlugin(platform: KeysPlatform): Plugin {
  return definePlugin({
    name: 'auth.api_keys',
    feature: 'auth.api-keys',
    requires: ['Authentication'],
    wants: ['KeyStore'],
    provides: ['ApiKeys'],
    routes: keyRoutes.map(({ spec }) => spec),
    settings: keySettings,
    setup(ctx) {
      const { settings, random } = ctx
      const { now, monotonic } = ctx.clock
      const authentication = ctx.use('Authentication')
      const bounds = {
        maxKeys: settings['security.max_keys'],
        maxKeysPerOwner: settings['security.max_keys_per_owner'],
        maxBytesPerOwner: settings['security.max_key_bytes_per_owner'],
      }
      const store = ctx.find('KeyStore') ?? createMemoryKeyStore({ now, monotonic })
      const hasher = platform.createHasher(
        {
          memoryKiB: settings['security.argon2_memory_kib'],
          iterations: settings['security.argon2_iterations'],
          parallelism: settings['security.argon2_parallelism'],
        },
        random.bytes,
      )
      const queue = createHashQueue({
        // Asked for with a hash: to count the cores is a look at files.
        get parallel() {
          return Math.min(settings['security.argon2_concurrency'], platform.maxParallel)
        },
        waiting: settings['security.argon2_waiting'],
      })
      const limit = createFailureLimit({
        limit: settings['security.failed_key_limit'],
        windowMs: settings['security.failed_key_window_seconds'] * 1000,
        maxWatched: settings['security.failed_key_addresses'],
        monotonic,
      })
      const isTrusted = toIsTrusted(settings['server.trusted_proxies'])
      const { verify } = createKeyVerifier({
        store,
        hasher,
        queue,
        limit,
        draw: random.bytes,
        networkOf: (request) => toNetwork(clientAddress(request, isTrusted)),
        cacheMs: settings['security.key_cache_seconds'] * 1000,
        cacheEntries: settings['security.key_cache_entries'],
        clock: ctx.clock,
        onTouchFailed: (error) => ctx.log.warn('A use of an API key could not be noted.', { error }),
      })
      // Said when there is something to lose, and once.
      let said = store.durable
      const onCreated = (): void => {
        if (!said) ctx.log.warn('API keys are kept in memory: they are gone with the next restart.')
        said = true
      }
      const announceRevoked = (id: string): void => authentication.announceRevoked(keyCredentialId(id))
      const service = createKeyService({
        store,
        bounds,
        hasher,
        queue,
        random: random.bytes,
        maxMaking: settings['security.max_keys_in_the_making'],
        maxLifeMs: settings['security.key_max_days'] * DAY_MS,
        now,
        onCreated,
        onRevoked: announceRevoked,
      })
      store.onRevoked?.(announceRevoked)
      // A record's owner, scopes and end never change, and a busy key asks for them at each request.
      const identities = new WeakMap<KeyRecord, Identity>()
      const toIdentity = (record: KeyRecord): Identity => {
        let identity = identities.get(record)
        if (identity === undefined) identities.set(record, (identity = identityOf(record)))
        return identity
      }
      authentication.onKey((text, request) => {
        const record = verify(text, request)
        return record instanceof Promise ? record.then(toIdentity) : toIdentity(record)
      })
      ctx.provide('ApiKeys', {
        verify,
        live: (id) => {
          const keepLive = (record: KeyRecord | undefined): KeyRecord | null =>
            record !== undefined && isLive(record, now()) ? record : null
          const record = store.get(id)
          return record instanceof Promise ? record.then(keepLive) : keepLive(record)
        },
      })
      for (const { spec, handle } of keyRoutes) ctx.route(spec, handle(service))
      ctx.onStart(async () => {
        if (await compilesWasm()) return
        ctx.log.warn(
          'This platform compiles no WebAssembly: API keys are hashed in JavaScript, which takes five times as long.',
        )
      })
      ctx.onStop(() => hasher.close())
    },
  })
}

function identityOf(record: KeyRecord): Identity {
  return {
    kind: 'user',
    user: record.owner.user,
    tenant: record.owner.tenant,
    scopes: record.scopes,
    credential: { id: keyCredentialId(record.id), expiresAtMs: record.expiresAtMs },
  }
}
