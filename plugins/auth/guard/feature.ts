/**
 * The guard of the runtime surface. The variants differ in cryptography, and in what a browser without a credential
 * gets.
 */
import { described, documented } from '../../../core/declare/described.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { counter } from '../../../core/declare/metric.ts'
import { decimal, deprecated, flag, integer } from '../../../core/declare/settings.ts'
import type { Hook } from '../../../core/http/hooks.ts'
import type {} from '../capabilities.ts'
import { installCryptoProvider } from '../crypto/provider.ts'
import { createDelegation } from '../delegation/reserved-scopes.ts'
import { authFail } from '../errors.ts'
import { createAuthenticator } from './authenticator.ts'
import { contract } from './contract.ts'
import type { GuardVariant } from './variant.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.guard': 'web' | 'node'
  }
}

/** Feature `auth.guard`. */
export const feature: FeatureValue<'auth.guard', GuardVariant, 'Authentication' | 'Delegation' | 'Revocations'> =
  defineFeature({
    id: 'auth.guard',
    name: 'auth',
    about: described({
      at: import.meta.url,
      summary: 'Authenticates every request before it is answered; denies by default',
      stability: 'stable',
      since: '0.1.0',
      platform: { web: 'web', node: 'node' },
      variants: {
        web: () => import('./web.ts'),
        node: () => import('./node.ts'),
      },
      packages: { web: [], node: ['jose'] },
      contract,
    }),
    provides: ['Authentication', 'Delegation', 'Revocations'],
    errors: authFail,
    metrics: {
      refusals: counter('svc_auth_refusals_total', {
        unit: 'requests',
        help: 'Requests whose credential was refused, by the code of the 401.',
        labels: ['code'],
      }),
    },
    settings: {
      'security.jwt_required': flag({
        default: true,
        summary: documented(
          'Whether a request needs a valid credential. With false, one without is anonymous and owns nothing; credentials that are valid still count.',
        ),
      }),
      'security.delegation': flag({
        default: false,
        summary: documented(
          'Whether the scopes that begin with svc: count: they let a caller act for other users of its tenant. With false every parameter that names another user is refused.',
        ),
      }),
      'security.acting_key_share': decimal({
        default: 0.5,
        min: 0,
        max: 1,
        summary: documented(
          'Of the streams, running runs, calls of agents and texts that no command names that a tenant may have, the share of one acting key for all its users and itself together.',
        ),
      }),
      'security.token_cache_entries': deprecated(
        integer({
          default: 20_000,
          max: 1_000_000,
          summary: documented(
            'How many verified tokens are remembered, each until it expires at the latest; 0 remembers none.',
          ),
        }),
        documented('A token outside of it costs one signature check more.'),
      ),
    },
    setup(ctx) {
      const required = ctx.settings['security.jwt_required']
      const authenticator = createAuthenticator({
        required,
        cacheEntries: ctx.settings['security.token_cache_entries'],
        clock: ctx.clock,
        onIgnored: (code) => ctx.metrics.refusals.add({ code }),
      })
      ctx.provide('Authentication', authenticator.authentication)
      ctx.provide('Revocations', authenticator.revocations)
      ctx.provide(
        'Delegation',
        createDelegation({
          enabled: ctx.settings['security.delegation'],
          actingKeyShare: ctx.settings['security.acting_key_share'],
          log: ctx.log,
        }),
      )
      ctx.guard('runtime', authenticator.guard)
      for (const hook of [...ctx.variant.hooks, countRefusals((code) => ctx.metrics.refusals.add({ code }))])
        ctx.hook('runtime', hook)
      ctx.onStart(() => {
        for (const [code, { status }] of Object.entries(authFail.rows))
          if (status === 401) ctx.metrics.refusals.begin({ code })
        if (!required)
          ctx.log.warn('Authentication is not required: requests without a valid credential are anonymous.')
        try {
          authenticator.hold(installCryptoProvider(ctx.variant.createProvider))
        } catch (error) {
          if (!isSvcError(error, 'crypto_provider_conflict')) throw error
          // The service starts all the same, so that the probes answer. Requests with a credential get a 500.
          ctx.log.error(error.message, { code: error.code, hint: error.hint })
        }
      })
      ctx.onStop(authenticator.release)
    },
  })

/** Counts the 401 of all routes, those included that read their credential themselves. */
function countRefusals(count: (code: string) => void): Hook {
  return {
    onReply: (_, { status, code }) => {
      if (status === 401 && code !== undefined) count(code)
    },
  }
}
