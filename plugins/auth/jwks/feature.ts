/** Bearer tokens that are verified with the JWKS of an identity provider. */
import { described, documented } from '../../../core/declare/described.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { deprecated, integer, reloadable, text } from '../../../core/declare/settings.ts'
import type { Tracing } from '../../../core/declare/tracing.ts'
import { later } from '../../../core/kernel/later.ts'
import type {} from '../capabilities.ts'
import { contract } from './contract.ts'
import type { DiscoveryOptions } from './discovery.ts'
import { createJwksCache, type JwksCache } from './jwks-cache.ts'
import { discoveryUrl, refuseIssuer, refuseJwksUrl } from './url.ts'

declare const __PROGRAM__: boolean

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.jwks': true
  }
}

/** Feature `auth.jwks`. */
export const feature: FeatureValue<'auth.jwks', never, 'JwksKeys'> = defineFeature({
  id: 'auth.jwks',
  about: described({
    at: import.meta.url,
    summary: 'Bearer tokens of an identity provider (RS256), verified with the keys that it publishes',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.jwt'],
    platform: 'web',
    contract,
  }),
  needs: { Authentication: 'required', Tracing: 'optional' },
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
    'security.oidc_issuer': reloadable(
      text<string | null>({
        default: null,
        summary: documented(
          'Issuer (OpenID Connect) whose discovery document says where its JWK set is, in place of security.jwks_url; the iss of tokens must be this text.',
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
    'security.jwks_max_bytes': deprecated(
      integer({
        default: 262_144,
        min: 1_024,
        unit: 'bytes',
        summary: documented('Largest JWKS document.'),
      }),
      documented('The document of an issuer has a few kilobytes.'),
    ),
    'security.jwks_max_keys': deprecated(
      integer({
        default: 64,
        min: 1,
        summary: documented('Most usable keys that a JWKS may have.'),
      }),
      documented('An issuer publishes a few keys at a time.'),
    ),
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
    'security.jwks_unknown_kids': deprecated(
      integer({
        default: 1_024,
        min: 1,
        summary: documented('How many unknown key ids are remembered until the next permitted reading.'),
      }),
      documented('It bounds memory that only an attacker fills.'),
    ),
  },
  checkSettings: ({ 'security.jwks_url': url, 'security.oidc_issuer': issuer }, all) => [
    ...(url === null ? [] : refuseJwksUrl(url)),
    ...(issuer === null ? [] : refuseIssuer(issuer, url, all['security.jwt_issuer'])),
  ],
  setup(ctx) {
    const { settings } = ctx
    const authentication = ctx.get('Authentication')
    const limits = {
      fetch: traceFetch(fetch, ctx.get('Tracing')),
      timeoutMs: settings['security.jwks_timeout_ms'],
      maxBytes: settings['security.jwks_max_bytes'],
      maxAgeMs: settings['security.jwks_max_age_seconds'] * 1000,
      monotonic: ctx.clock.monotonic,
    }
    // Some issuers require a client key in the query, which must not be logged.
    const warn = (message: string, url: string) => (error: unknown) => {
      const [reason, cause] = isSvcError(error) ? [error.details?.['reason'], error.cause] : [undefined, error]
      ctx.log.warn(message, { url: url.replace(/\?.*$/, ''), reason, error: cause })
    }
    const createCache = ({ url, issuer }: KeySource): JwksCache | null => {
      const from = issuer !== null ? discoveryUrl(issuer) : url !== null ? new URL(url).href : null
      if (from === null) return null
      const onFailure = warn('The discovery document could not be read; the last jwks_uri counts.', from)
      return createJwksCache({
        ...limits,
        url: issuer === null ? from : discoverLater({ ...limits, issuer, onFailure }),
        maxKeys: settings['security.jwks_max_keys'],
        cooldownMs: settings['security.jwks_cooldown_seconds'] * 1000,
        refreshAfterMs: settings['security.jwks_refresh_seconds'] * 1000,
        maxUnknownKids: settings['security.jwks_unknown_kids'],
        importKey: (jwk) => authentication.crypto().rsaKey(jwk),
        onKeysLost: authentication.forgetVerdicts,
        onFailure: warn('The JWKS could not be read.', from),
      })
    }
    let source = sourceOf(settings)
    const provided = { cache: createCache(source), issuer: source.issuer ?? undefined }
    ctx.provide('JwksKeys', provided)
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
      ctx.onReload((reloaded) => {
        const next = sourceOf(reloaded)
        if (next.url === source.url && next.issuer === source.issuer) {
          // Twice, because a reading that is under way may have begun before the change of the set.
          return void provided.cache?.refresh().then(provided.cache.refresh)
        }
        source = next
        provided.cache = createCache(source)
        provided.issuer = source.issuer ?? undefined
        // Drops the verdicts on tokens of the former issuer.
        authentication.forgetVerdicts()
      })
  },
})

/** Loads the code of discovery at the first reading, because most services set security.jwks_url. */
function discoverLater(options: DiscoveryOptions): () => Promise<string> {
  const discovery = later(async () => (await import('./discovery.ts')).createDiscovery(options))
  return async () => (await discovery())()
}

/** Where the keys come from; both null without a source. */
interface KeySource {
  readonly url: string | null
  readonly issuer: string | null
}

function sourceOf(settings: {
  readonly 'security.jwks_url': string | null
  readonly 'security.oidc_issuer': string | null
}): KeySource {
  return { url: settings['security.jwks_url'], issuer: settings['security.oidc_issuer'] }
}

type Fetch = typeof globalThis.fetch

/** Wraps `fetch` in a span per request. A reading serves several requests of clients, so its span has no parent. */
function traceFetch(fetch: Fetch, tracing: Tracing | undefined): Fetch {
  if (tracing === undefined) return (input, init) => fetch(input, init)
  return async (input, init) => {
    const span = tracing.start('read JWKS', undefined, 'client')
    try {
      const response = await fetch(input, { ...init, headers: { ...(init?.headers as object), ...span.headers } })
      span.end({ 'http.request.method': 'GET', 'http.response.status_code': response.status })
      return response
    } catch (error) {
      span.end({ 'http.request.method': 'GET' }, error)
      throw error
    }
  }
}
