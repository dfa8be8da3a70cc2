import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type {} from '../capabilities.ts'
import type { HmacKey } from '../crypto/provider.ts'
import type { ClaimPolicy } from '../token/claims.ts'
import { readJwtSecret, refuseJwtSecret } from './secret.ts'
import { jwtSettings } from './settings.ts'
import { createJwksVerifier, createSecretVerifier } from './verifier.ts'

/** Bearer tokens: signed with the shared secret or, if a JWKS is configured, with a key of that JWKS only. */
export const plugin: Plugin = definePlugin({
  name: 'auth.jwt',
  feature: 'auth.jwt',
  requires: ['Authentication'],
  wants: ['JwksKeys'],
  provides: ['ClaimPolicy'],
  settings: jwtSettings,
  // With a JWKS the secret is not used. A profile without a guard needs no secret.
  checkSettings: (settings, all) =>
    all['security.jwks_url'] == null
      ? refuseJwtSecret(settings['security.jwt_secret'], all['security.jwt_required'] === true)
      : [],
  setup(ctx) {
    const { settings } = ctx
    const { now } = ctx.clock
    const authentication = ctx.use('Authentication')
    const jwks = ctx.find('JwksKeys')?.cache ?? null
    const policy: ClaimPolicy = {
      issuer: settings['security.jwt_issuer'] ?? undefined,
      audience: settings['security.jwt_audience'] ?? undefined,
      validateNbf: settings['security.jwt_validate_nbf'],
      leewaySeconds: settings['security.jwt_leeway_seconds'],
      tenantClaims: settings['security.tenant_claims'],
    }
    ctx.provide('ClaimPolicy', policy)
    if (jwks !== null) {
      authentication.onToken(undefined, createJwksVerifier(jwks, policy, now))
      return
    }
    const secret = readJwtSecret(settings['security.jwt_secret'])
    if (secret === null) ctx.log.warn('Neither a secret nor a JWKS is configured: no bearer token is accepted.')
    let key: HmacKey | null = null
    const getKey = (): HmacKey | null => {
      if (secret !== null) key ??= authentication.crypto().hmacKey(secret)
      return key
    }
    authentication.onToken(undefined, createSecretVerifier(getKey, policy, now))
  },
})
