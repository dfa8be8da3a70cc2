import { documented } from '../../../core/documented.ts'
import { isSvcError } from '../../../core/errors.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { integer, reloadable, text } from '../../../core/settings/kinds.ts'
import type {} from '../../telemetry/capabilities.ts'
import type {} from '../capabilities.ts'
import { createJwksCache, type JwksCache } from './jwks-cache.ts'
import { traceFetch } from './traced-fetch.ts'
import { refuseJwksUrl } from './url.ts'

declare const __PROGRAM__: boolean

/** Bearer tokens that are verified with the JWKS of an identity provider. */
export const plugin: Plugin = definePlugin({
  name: 'auth.jwks',
  feature: 'auth.jwks',
  requires: ['Authentication'],
  wants: ['Tracing'],
  provides: ['JwksKeys'],
  settings: {
    'security.jwks_url': reloadable(
      text<string | null>({
        default: null,
        summary: documented(
          'URL of the JWK set that RS256 tokens are verified with, read again on SIGHUP; where set, HS256 tokens are refused.',
        ),
      }),
    ),
    'security.jwks_timeout_ms': integer({
      default: 5_000,
      min: 1,
      max: 60_000,
      unit: 'ms',
      summary: documented('Longest time for one reading of the JWKS.'),
    }),
    'security.jwks_max_bytes': integer({
      default: 262_144,
      min: 1_024,
      unit: 'bytes',
      summary: documented('Largest JWKS document.'),
    }),
    'security.jwks_max_keys': integer({
      default: 64,
      min: 1,
      summary: documented('Most usable keys that a JWKS may have.'),
    }),
    'security.jwks_cooldown_seconds': integer({
      default: 10,
      unit: 's',
      summary: documented('Pause after a reading of the JWKS that failed or brought no new key.'),
    }),
    'security.jwks_refresh_seconds': integer({
      default: 600,
      min: 1,
      unit: 's',
      summary: documented('Age at which the JWKS is read again in the background.'),
    }),
    'security.jwks_max_age_seconds': integer({
      default: 86_400,
      min: 1,
      unit: 's',
      summary: documented('How long keys are used while the JWKS cannot be read.'),
    }),
    'security.jwks_unknown_kids': integer({
      default: 1_024,
      min: 1,
      summary: documented('How many unknown key ids are remembered until the next permitted reading.'),
    }),
  },
  checkSettings({ 'security.jwks_url': url }) {
    return url === null ? [] : refuseJwksUrl(url)
  },
  setup(ctx) {
    const { settings } = ctx
    const authentication = ctx.use('Authentication')
    const createCache = (configured: string | null): JwksCache | null => {
      if (configured === null) return null
      const url = new URL(configured).href
      return createJwksCache({
        url,
        fetch: traceFetch(fetch, ctx.find('Tracing')),
        timeoutMs: settings['security.jwks_timeout_ms'],
        maxBytes: settings['security.jwks_max_bytes'],
        maxKeys: settings['security.jwks_max_keys'],
        cooldownMs: settings['security.jwks_cooldown_seconds'] * 1000,
        refreshAfterMs: settings['security.jwks_refresh_seconds'] * 1000,
        maxAgeMs: settings['security.jwks_max_age_seconds'] * 1000,
        maxUnknownKids: settings['security.jwks_unknown_kids'],
        importKey: (jwk) => authentication.crypto().rsaKey(jwk),
        monotonic: ctx.clock.monotonic,
        onKeysLost: authentication.forgetVerdicts,
        // Some issuers require a client key in the query, which must not be logged.
        onFailure: (error) => {
          const [reason, cause] = isSvcError(error) ? [error.details?.['reason'], error.cause] : [undefined, error]
          ctx.log.warn('The JWKS could not be read.', { url: url.replace(/\?.*$/, ''), reason, error: cause })
        },
      })
    }
    let url = settings['security.jwks_url']
    const cache = createCache(url)
    const provided = { cache }
    ctx.provide('JwksKeys', provided)
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
      ctx.onReload((reloaded) => {
        if (reloaded['security.jwks_url'] === url) {
          // Twice, because a reading that is under way may have begun before the change of the set.
          return void provided.cache?.refresh().then(provided.cache.refresh)
        }
        url = reloaded['security.jwks_url']
        provided.cache = createCache(url)
        // Verdicts on tokens of the former issuer.
        authentication.forgetVerdicts()
      })
  },
})
