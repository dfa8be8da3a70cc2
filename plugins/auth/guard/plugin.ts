import { documented } from '../../../core/documented.ts'
import { isSvcError } from '../../../core/errors.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { flag, integer } from '../../../core/settings/kinds.ts'
import type {} from '../capabilities.ts'
import { type CryptoProvider, installCryptoProvider } from '../crypto/provider.ts'
import { authFail } from '../errors.ts'
import { createAuthenticator } from './authenticator.ts'

/** Creates the guard of the runtime surface with the crypto provider of a platform, and hooks that change its refusals. */
export function createGuardPlugin(createProvider: () => CryptoProvider, hooks: readonly Hook[] = []): Plugin {
  return definePlugin({
    name: 'auth',
    feature: 'auth.guard',
    provides: ['Authentication', 'Revocations'],
    errors: authFail,
    settings: {
      'security.jwt_required': flag({
        default: true,
        summary: documented(
          'Whether a request needs a valid credential. With false, one without is anonymous and owns nothing; credentials that are valid still count.',
        ),
      }),
      'security.token_cache_entries': integer({
        default: 20_000,
        max: 1_000_000,
        summary: documented(
          'How many verified tokens are remembered, each until it expires at the latest; 0 remembers none.',
        ),
      }),
    },
    setup(ctx) {
      const required = ctx.settings['security.jwt_required']
      const authenticator = createAuthenticator({
        required,
        cacheEntries: ctx.settings['security.token_cache_entries'],
        clock: ctx.clock,
      })
      ctx.provide('Authentication', authenticator.authentication)
      ctx.provide('Revocations', authenticator.revocations)
      ctx.guard('runtime', authenticator.guard)
      for (const hook of hooks) ctx.hook('runtime', hook)
      ctx.onStart(() => {
        if (!required)
          ctx.log.warn('Authentication is not required: requests without a valid credential are anonymous.')
        try {
          authenticator.hold(installCryptoProvider(createProvider))
        } catch (error) {
          if (!isSvcError(error, 'crypto_provider_conflict')) throw error
          // The service starts all the same, so that the probes answer. Requests with a credential get a 500.
          ctx.log.error(error.message, { code: error.code, hint: error.hint })
        }
      })
      ctx.onStop(authenticator.release)
    },
  })
}
