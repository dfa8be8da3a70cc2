import type { Logger } from '../../../core/log.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../capabilities.ts'
import { createApiKeys, createHashing, createVerifier, type KeysPlatform, toLimits } from './create-parts.ts'
import { compilesWasm } from './hashing/compiles-wasm.ts'
import { createKeyIdentities, keyCredentialId } from './key-identity.ts'
import { createKeyService } from './managing/key-service.ts'
import { keyRoutes } from './routes.ts'
import { keySettings } from './settings.ts'
import { createMemoryKeyStore } from './store/memory-store.ts'

/** Creates the feature for a platform. */
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
      const { settings, random, clock, log } = ctx
      const authentication = ctx.use('Authentication')
      const store = ctx.find('KeyStore') ?? createMemoryKeyStore(clock)
      const hashing = createHashing(settings, platform, random)
      const announceRevoked = (id: string): void => authentication.announceRevoked(keyCredentialId(id))
      store.onRevoked?.(announceRevoked)

      const { verify } = createVerifier(settings, { ...hashing, store, clock, random }, (error) =>
        log.warn('A use of an API key could not be noted.', { error }),
      )
      const toIdentity = createKeyIdentities()
      authentication.onKey((text, request) => {
        const record = verify(text, request)
        return record instanceof Promise ? record.then(toIdentity) : toIdentity(record)
      })
      ctx.provide('ApiKeys', createApiKeys(store, verify, clock.now))

      const service = createKeyService({
        ...hashing,
        ...toLimits(settings),
        store,
        random: random.bytes,
        now: clock.now,
        onCreated: store.durable ? () => {} : warnOfLoss(log),
        onRevoked: announceRevoked,
      })
      for (const { spec, handle } of keyRoutes) ctx.route(spec, handle(service))
      ctx.onStart(async () => {
        if (await compilesWasm()) return
        log.warn(
          'This platform compiles no WebAssembly: API keys are hashed in JavaScript, which takes five times as long.',
        )
      })
      ctx.onStop(() => hashing.hasher.close())
    },
  })
}

/** Creates a function that warns at its first call, which is when the first key could be lost. */
function warnOfLoss(log: Logger): () => void {
  let warned = false
  return () => {
    if (!warned) log.warn('API keys are kept in memory: they are gone with the next restart.')
    warned = true
  }
}
