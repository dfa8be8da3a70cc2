import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../../transport/node-http/capabilities.ts'
import type {} from '../capabilities.ts'
import type { HmacKey } from '../crypto/provider.ts'
import type { ClaimPolicy } from '../token/claims.ts'
import { createMismatchLog } from './mismatches.ts'
import { readJwtSecret, refuseJwtSecret } from './secret.ts'
import { jwtSettings } from './settings.ts'
import { createJwksVerifier, createSecretVerifier } from './verifier.ts'

/** Bearer tokens: signed with the shared secret or, if a JWKS is configured, with a key of that JWKS only. */
export const plugin: Plugin = definePlugin({
  name: 'auth.jwt',
  feature: 'auth.jwt',
  requires: ['Authentication'],
  wants: ['JwksKeys'],
  wantsLater: ['HttpServer'],
  provides: ['ClaimPolicy'],
  settings: jwtSettings,
  // No secret is needed where tokens come from a JWKS, where no credential is required, or where no runtime surface is served.
  checkSettings: (settings, all) =>
    all['security.jwks_url'] == null
      ? refuseJwtSecret(
          settings['security.jwt_secret'],
          all['security.jwt_required'] === true && all['server.mode'] !== 'sync',
        )
      : [],
  setup(ctx) {
    const { settings } = ctx
    const { now } = ctx.clock
    const authentication = ctx.use('Authentication')
    const jwks = ctx.find('JwksKeys')
    const policy: ClaimPolicy = {
      issuer: settings['security.jwt_issuer'] ?? undefined,
      audience: settings['security.jwt_audience'] ?? undefined,
      validateNbf: settings['security.jwt_validate_nbf'],
      leewaySeconds: settings['security.jwt_leeway_seconds'],
      tenantClaims: settings['security.tenant_claims'],
      onMismatch: createMismatchLog(ctx.log, ctx.clock),
    }
    ctx.provide('ClaimPolicy', policy)
    const secret = readJwtSecret(settings['security.jwt_secret'])
    if (secret === null && jwks?.cache == null) {
      const http = ctx.findLater('HttpServer')
      ctx.onStart(() => {
        if (http()?.mode !== 'sync')
          ctx.log.warn('Neither a secret nor a JWKS is configured: no bearer token is accepted.')
      })
    }
    let key: HmacKey | null = null
    const getKey = (): HmacKey | null => {
      if (secret !== null) key ??= authentication.crypto().hmacKey(secret)
      return key
    }
    const bySecret = createSecretVerifier(getKey, policy, now)
    const byJwks = createJwksVerifier({ find: (kid) => jwks!.cache!.find(kid) }, policy, now)
    // Chosen for each token: another URL after SIGHUP is another cache.
    authentication.onToken(undefined, (jws) => (jwks?.cache == null ? bySecret : byJwks)(jws))
  },
})
